import { documentNameOf } from '../../api/document-shapes.ts';
import { endpoints, type Endpoint, type EndpointName } from '../../api/endpoints.ts';
import { ruleText, type FieldRule } from '../../api/field-rules.ts';
import { schemaOf } from '../../api/openapi.ts';
import type { Asked } from './asking.ts';
import { nameOf, refusalVerdict, shapeVerdict, skipped, type Case } from './case.ts';
import type { Scene } from './scene.ts';
import { wrongOnes, type Wrong } from './wrong.ts';

/** What the examples of the table ask about, which no service has. */
const EXAMPLE = { itemId: '00f1e2d3c4b5a697', listingId: '900000123' };

/** The example of an endpoint, about a listing that stands; undefined where it needs one and none does. */
function rightRequest(name: EndpointName, scene: Scene): Asked | undefined {
  const { example }: Endpoint = endpoints[name];
  if (!example) return {};
  const [listing] = scene.listings;
  const isAboutOne = JSON.stringify(example).includes(EXAMPLE.itemId) || JSON.stringify(example).includes(EXAMPLE.listingId);
  if (!isAboutOne || !listing) return isAboutOne ? undefined : example;
  return filled(example, {
    [EXAMPLE.itemId]: listing.itemId,
    [EXAMPLE.listingId]: listing.id,
    c5game: listing.market,
    c5: listing.market === 'c5game' ? 'c5' : listing.market,
  }) as Asked;
}

function filled(value: unknown, words: Readonly<Record<string, string>>): unknown {
  if (typeof value === 'string') return Object.hasOwn(words, value) ? words[value] : value;
  if (Array.isArray(value)) return value.map((element) => filled(element, words));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, filled(part, words)]));
}

/** Each endpoint asked rightly; those that change something have stories of their own. */
export function rightCases(): readonly Case[] {
  const names = Object.keys(endpoints) as EndpointName[];
  return names
    .filter((name) => (endpoints[name] as Endpoint).moves === undefined)
    .map((name) => {
      const { payload, auth }: Endpoint = endpoints[name];
      const named = documentNameOf(name);
      const rules = [nameOf(name), 'Errors 1', 'Versioning 1', ...keyRules(name), ...(named === undefined ? [] : [named])];
      const what = `a right request${auth === 'key' ? '' : ` with a ${auth} key`} is answered${payload === 'open' ? '' : ' with what the document shows'}`;
      return {
        endpoint: name,
        rules,
        what,
        changes: false,
        judge: async (asking) => {
          const request = rightRequest(name, asking.scene);
          return request ? shapeVerdict(name, await asking.ask(name, request)) : skipped('no sound listing stands to ask about');
        },
      };
    });
}

/** The rules of the section on authentication that speak of an endpoint. */
function keyRules(name: EndpointName): readonly string[] {
  const { auth, path }: Endpoint = endpoints[name];
  if (name === 'user') return ['Authentication 6'];
  if (auth === 'top-level') return ['Authentication 3'];
  return path.includes('/onramp/') && auth === 'partner' ? ['Authentication 4'] : [];
}

/** Each rule of the table's requests broken, one at a time. */
export function wrongCases(): readonly Case[] {
  return (Object.keys(endpoints) as EndpointName[]).flatMap((name) => [
    ...wrongQueries(name),
    ...wrongBodies(name),
    ...((endpoints[name] as Endpoint).rules ?? []).flatMap((rule) => wrongTogether(name, rule)),
  ]);
}

/** Our own bounds, which the document does not have. */
const notInTheDocument: ReadonlySet<string> = new Set([
  'buy.price.minimum',
  'legacyBuy.price.minimum',
  'ledger.page.minimum',
  'ledger.page.integer',
  'ledger.limit.minimum',
  'ledger.limit.integer',
  'createUser.email.length',
  'transfer.toEmail.length',
]);

function isOfTheDocument(name: EndpointName, { field, keyword }: Wrong): boolean {
  return !notInTheDocument.has(`${name}.${field}.${keyword}`);
}

/** The document forbids other fields in bodies only, and says of some queries nothing at all. */
function wrongQueries(name: EndpointName): readonly Case[] {
  const row: Endpoint = endpoints[name];
  if (row.request !== undefined && row.request !== 'documented') return [];
  return wrongOnes(schemaOf(row.query), row.example?.query ?? {})
    .filter((wrong) => wrong.keyword !== 'extra' && isOfTheDocument(name, wrong))
    .map((wrong) =>
      refused(name, rulesOf(name, wrong), `${wrong.field}: ${wrong.words}`, (right) => {
        const part = (wrong.value as Readonly<Record<string, string | number>>)[wrong.field];
        return { ...right, query: { ...right.query, [wrong.field]: part } };
      }),
    );
}

function wrongBodies(name: EndpointName): readonly Case[] {
  const row: Endpoint = endpoints[name];
  if (!row.body || row.request === 'open') return [];
  const schema = schemaOf(row.body);
  return wrongOnes(schema, row.example?.body)
    .filter((wrong) => isOfTheDocument(name, wrong))
    .map((wrong) => {
      const what = wrong.field === '' ? wrong.words : `${wrong.field}: ${wrong.words}`;
      return refused(name, rulesOf(name, wrong), what, (right) => {
        const same = wrongOnes(schema, right.body).find(
          ({ field, keyword, words }) => field === wrong.field && keyword === wrong.keyword && words === wrong.words,
        );
        return { ...right, body: same?.value };
      });
    });
}

function wrongTogether(name: EndpointName, rule: FieldRule): readonly Case[] {
  const example = (endpoints[name] as Endpoint).example?.body as Readonly<Record<string, unknown>>;
  const without = Object.fromEntries(Object.entries(example).filter(([field]) => !rule.fields.includes(field)));
  const rules = [nameOf(name), 'Errors 3', ...(name === 'transfer' ? ['Errors 4'] : [])];
  const neither = refused(name, rules, `${ruleText(rule)}, not neither`, (right) => ({ ...right, body: without }));
  if (rule.kind === 'at-least-one') return [neither];
  const both = { ...example, toEmail: 'both@sandbox.example', toApiKeyId: 'a'.repeat(24) };
  return [neither, refused(name, rules, `${ruleText(rule)}, not both`, (right) => ({ ...right, body: both }))];
}

/** Rows of the table of limits, in its order, by the field that they bound. */
const limitRows: Readonly<Record<string, number>> = {
  'listingDetail.items.items': 1,
  'createUser.name.length': 2,
  'createUser.description.length': 2,
  'transfer.idempotencyKey.length': 3,
  'transfer.amountCents.minimum': 3,
  'withdraw.amount.minimum': 4,
  'cryptoDeposit.amount.minimum': 5,
  'onrampSession.fiatAmount.minimum': 5,
  'onrampSession.coinAmount.minimum': 5,
  'onrampQuote.fiatAmount.minimum': 5,
  'listings.page.minimum': 7,
  'onrampQuote.countryCode.length': 9,
};

function rulesOf(name: EndpointName, { field, keyword }: Wrong): readonly string[] {
  const limit = limitRows[`${name}.${field}.${keyword}`];
  const isNaming = (name === 'buy' || name === 'legacyBuy') && field === 'market';
  return [nameOf(name), 'Errors 3', ...(limit === undefined ? [] : [`Limits ${limit}`]), ...(isNaming ? ['Versioning 4'] : [])];
}

function refused(name: EndpointName, rules: readonly string[], what: string, broken: (right: Asked) => Asked): Case {
  return {
    endpoint: name,
    rules,
    what: `refused where broken: ${what}`,
    changes: (endpoints[name] as Endpoint).moves !== undefined,
    judge: async (asking) => {
      const right = rightRequest(name, asking.scene);
      return right
        ? refusalVerdict(name, await asking.ask(name, broken(right)))
        : skipped('no sound listing stands to ask about');
    },
  };
}
