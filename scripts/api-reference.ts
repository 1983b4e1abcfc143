import { versionOf, type Certainty, type Endpoint } from '../src/api/endpoint.ts';
import { endpoints } from '../src/api/endpoints.ts';
import { ruleText } from '../src/api/field-rules.ts';
import { fieldsOf } from '../src/api/fields.ts';
import { schemaOf } from '../src/api/openapi.ts';
import { parametersOf } from '../src/api/request.ts';
import { webhookEvents } from '../src/api/webhooks.ts';

const head = (note: string): string => `# The partner API

${note}

Every endpoint that Magpie's [sandbox](sandbox.md) serves and \`magpie api\` and the library call ([calling.md](calling.md), [client.md](client.md)), from the
one table in \`src/api\`.
\`schemas/openapi.json\` is the same for other programs (OpenAPI 3.1), and the sandbox serves it at \`/openapi.json\`.

Every request carries the header \`X-API-Key\`; every success is \`{ requestId, success: true, data }\`. How a failure looks is not documented.

How sure a part is: **documented**, the API's document gives it; **assumed**, it gives it in part; **open**, it shows none, and whatever is sent or
answered is passed through as it is.`;

/** The page of every endpoint, in the order of the table. */
export function apiPage(note: string): string {
  const rows = Object.entries(endpoints) as [string, Endpoint][];
  const table = [
    '| endpoint | key | request | answer | changes | name |',
    '| --- | --- | --- | --- | --- | --- |',
    ...rows.map(([name, row]) => overviewRow(name, row)),
  ].join('\n');
  const events = Object.entries(webhookEvents).map(([name, text]) => `| \`${name}\` | ${text} | open |`);
  const webhooks = ['| event | when | payload |', '| --- | --- | --- |', ...events].join('\n');
  return `${[
    head(note),
    `## All ${rows.length} endpoints`,
    table,
    `Legacy: a newer endpoint is preferred, which its section names.`,
    `## Webhook events`,
    `The service posts them to an address of yours. Registration, signing and repeats are not documented.`,
    webhooks,
    ...rows.map(([, row]) => section(row)),
  ].join('\n\n')}\n`;
}

function overviewRow(name: string, row: Endpoint): string {
  const { method, path, auth, moves, payload } = row;
  const legacy = row.replacedBy === undefined ? '' : ' (legacy)';
  const changes = moves === undefined ? '' : moves === 'money' ? '**moves money**' : 'yes';
  return `| \`${method} ${path}\`${legacy} | ${auth === 'key' ? 'any' : auth} | ${requestOf(row)} | ${payload} | ${changes} | \`${name}\` |`;
}

function requestOf({ request = 'documented' }: Endpoint): Certainty {
  return request;
}

function section(row: Endpoint): string {
  const { method, path, summary, auth, replacedBy, rules = [] } = row;
  const version = versionOf(row) === 'v2' ? 'Version 2' : 'Version 1';
  const key = auth === 'key' ? 'any key' : `a ${auth} key`;
  return [
    `## ${method} ${path}`,
    `${summary} ${version}; ${key}.${replacedBy === undefined ? '' : ` Legacy: prefer \`${replacedBy}\`.`}`,
    ...part(
      'Path',
      parametersOf(path)
        .map((name) => `\`${name}\``)
        .join(', '),
    ),
    ...part('Query', row.request === 'open' ? 'not documented' : fieldTable(schemaOf(row.query))),
    ...part('Body', row.body === undefined ? '' : row.request === 'open' ? 'not documented' : fieldTable(schemaOf(row.body))),
    ...rules.map((rule) => `${ruleText(rule)[0]?.toUpperCase()}${ruleText(rule).slice(1)}.`),
    ...part('`data` of the answer', row.payload === 'open' ? 'not documented' : fieldTable(schemaOf(row.whole ?? row.data))),
  ].join('\n\n');
}

function part(title: string, text: string): string[] {
  if (text === '') return [];
  return text.startsWith('|') ? [`${title}:`, text] : [`${title}: ${text}.`];
}

/** The fields of a shape as a Markdown table; empty when it shows none. */
function fieldTable(schema: unknown): string {
  const rows = fieldsOf(schema).map(({ name, takes, isRequired }) =>
    [`\`${name}\``, takes, isRequired ? 'yes' : ''].map((cell) => cell.replaceAll('|', '\\|')),
  );
  if (rows.length === 0) return '';
  return [['field', 'takes', 'always'], ['---', '---', '---'], ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
