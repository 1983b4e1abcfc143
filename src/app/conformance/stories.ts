import { endpoints, type Endpoint, type EndpointName } from '../../api/endpoints.ts';
import { Secret } from '../../domain/secret.ts';
import type { Asking } from './asking.ts';
import { agrees, differs, refusalVerdict, shapeVerdict, skipped, successOf, type Case, type Verdict } from './case.ts';
import { purchaseCases } from './purchases.ts';
import { rows } from './reading.ts';
import { refusedWith, story } from './story.ts';

type Data = Readonly<Record<string, unknown>>;

/** What needs play money: purchases, transfers, deposits, keys that may not. In this order, since some go on with what others made. */
export function storyCases(): readonly Case[] {
  return [...keys(), ...children(), ...purchaseCases(), ...wallet()];
}

function keys(): readonly Case[] {
  const unknown = new Secret('no-key-of-anybody-0123456789');
  const restricted = (Object.entries(endpoints) as [EndpointName, Endpoint][]).filter(
    ([, { auth, path }]) => auth === 'top-level' || (path.includes('/onramp/') && auth === 'partner'),
  );
  return [
    story('user', ['Authentication 1'], 'refused without the header X-API-Key', (asking) =>
      refusedWith(asking, 'user', { key: 'none' }),
    ),
    story('user', ['Authentication 1'], 'refused with a key of nobody', (asking) =>
      refusedWith(asking, 'user', { key: unknown }),
    ),
    ...restricted.map(([name, { auth, example }]) =>
      story(
        name,
        [auth === 'top-level' ? 'Authentication 3' : 'Authentication 4'],
        'refused with a child key',
        async (asking) => {
          if (!asking.hasTwoKeys) return skipped('there is one key alone, and no telling of which kind');
          // Every key may ask for the profile: a refusal of the key is the very thing that is looked for here.
          return refusalVerdict('user', await asking.ask(name, { ...example, key: 'account' }));
        },
      ),
    ),
  ];
}

function children(): readonly Case[] {
  const email = (asking: Asking): string => `conformance-${asking.scene.mark}@sandbox.example`;
  const made: { key?: Secret; id?: string } = {};
  return [
    story(
      'createUser',
      ['Authentication 2', 'Child key', 'Child key status'],
      'a new address gets a child key, shown once',
      async (asking) => {
        const answer = await asking.ask('createUser', { body: { email: email(asking), name: 'Conformance' } });
        const success = successOf('createUser', answer);
        if (!success.ok) return success.verdict;
        const { apiKey, apiKeyId } = success.data as Data;
        if (typeof apiKey !== 'string' || typeof apiKeyId !== 'string') return differs('apiKey and apiKeyId are not both there');
        [made.key, made.id] = [new Secret(apiKey), apiKeyId];
        return shapeVerdict('createUser', answer);
      },
    ),
    story('createUser', ['Authentication 2'], 'the same address gets the same child, without its key', async (asking) => {
      const success = successOf('createUser', await asking.ask('createUser', { body: { email: email(asking) } }));
      if (!success.ok) return success.verdict;
      const { apiKey, apiKeyId } = success.data as Data;
      if (apiKeyId !== made.id) return differs('another apiKeyId');
      return apiKey === undefined ? agrees : differs('apiKey is shown a second time');
    }),
    story('orders', ['Authentication 5'], 'a new child sees no orders of others', async (asking) => {
      if (!made.key) return skipped('no child was made');
      const success = successOf('orders', await asking.ask('orders', { key: made.key }));
      if (!success.ok) return success.verdict;
      const seen = rows(success.data as Data, 'orders').length;
      return seen === 0 ? agrees : differs(`it sees ${seen}`);
    }),
    story(
      'transfer',
      ['Transfer result', 'Authentication 5'],
      'what is sent to an address is on its balance, once for one idempotency key',
      async (asking) => {
        const body = { toEmail: email(asking), amountCents: 500, idempotencyKey: `conformance-${asking.scene.mark}` };
        const first = shapeVerdict('transfer', await asking.ask('transfer', { body }));
        if (first.kind !== 'agrees') return first;
        const again = successOf('transfer', await asking.ask('transfer', { body }));
        if (!again.ok) return again.verdict;
        return balanceIs(asking, made.key, 5);
      },
    ),
    story('transfer', ['Transfer result'], 'toApiKeyId names the child as well', async (asking) => {
      if (made.id === undefined) return skipped('no child was made');
      const body = { toApiKeyId: made.id, amountCents: 100, idempotencyKey: `conformance-${asking.scene.mark}-by-id` };
      const verdict = shapeVerdict('transfer', await asking.ask('transfer', { body }));
      return verdict.kind === 'agrees' ? balanceIs(asking, made.key, 6) : verdict;
    }),
  ];
}

async function balanceIs(asking: Asking, key: Secret | undefined, dollars: number): Promise<Verdict> {
  if (!key) return skipped('no child was made');
  const success = successOf('user', await asking.ask('user', { key }));
  if (!success.ok) return success.verdict;
  const { balance } = ((success.data as Data)['profile'] ?? {}) as Data;
  return balance === dollars ? agrees : differs(`the balance of the child is ${String(balance)}, not ${dollars}`);
}

function wallet(): readonly Case[] {
  const ids: string[] = [];
  const rightly = (name: EndpointName, what: string, then?: (data: Data) => void): Case =>
    story(name, [], what, async (asking) => {
      const answer = await asking.ask(name, { body: (endpoints[name] as Endpoint).example?.body });
      const success = successOf(name, answer);
      if (success.ok) then?.(success.data as Data);
      return shapeVerdict(name, answer);
    });
  return [
    rightly('withdraw', 'a withdrawal is taken'),
    rightly('onrampSession', 'a deposit by card is opened'),
    rightly('cryptoDeposit', 'a deposit in a coin is opened', ({ deposit }) => {
      const { id } = (deposit ?? {}) as { readonly id?: unknown };
      if (typeof id === 'string') ids.push(id);
    }),
    story('cancelDeposit', [], 'a deposit that was opened is cancelled', async (asking) => {
      const [depositId] = ids;
      if (depositId === undefined)
        return skipped('the answer of the deposit, which the document does not show, has no deposit.id');
      return shapeVerdict('cancelDeposit', await asking.ask('cancelDeposit', { path: { depositId } }));
    }),
  ];
}
