import type { ProbeAnswer } from '../../gateway/probe.ts';
import type { Asking } from './asking.ts';
import { agrees, differs, shapeVerdict, skipped, successOf, type Case, type Verdict } from './case.ts';
import { nothingStands, rows } from './reading.ts';
import type { Offered } from './scene.ts';
import { refusedWith, story } from './story.ts';

type Data = Readonly<Record<string, unknown>>;

/** What was bought, once it was. */
interface Bought {
  id?: string;
}

/** Purchases with play money, and what the account shows of them. */
export function purchaseCases(): readonly Case[] {
  const bought: Bought = {};
  const refused = (what: string, change: (right: Data) => Data): Case =>
    story('buy', [], what, async (asking) => {
      const [offered] = asking.scene.listings;
      if (!offered) return nothingStands();
      return refusedWith(asking, 'buy', { body: change(bodyOf(offered, asking)) });
    });
  return [
    refused('refused at a price a cent beside the listing’s', (right) => ({ ...right, price: Number(right['price']) + 0.01 })),
    refused('refused without tradeUrl from an API key', ({ tradeUrl: _, ...right }) => right),
    story(
      'buy',
      ['Buy order result', 'ListingItemV2', 'Buy order result status'],
      'a listing is bought at its exact price',
      (asking) => buying(asking, bought),
    ),
    ...shownCases(bought),
    ...olderCases(),
  ];
}

function bodyOf({ id, price, market }: Offered, { scene: { tradeUrl } }: Asking): Data {
  return { itemId: id, price, market, tradeUrl };
}

async function buying(asking: Asking, bought: Bought): Promise<Verdict> {
  const answer = await firstBought(asking, 'buy', (offered) => bodyOf(offered, asking));
  if (!answer) return nothingStands();
  const verdict = shapeVerdict('buy', answer);
  const success = successOf('buy', answer);
  if (!success.ok || verdict.kind !== 'agrees') return verdict;
  const { order } = success.data as { readonly order: { readonly serviceOrderId: string; readonly status: string } };
  bought.id = order.serviceOrderId;
  return order.status === 'SUCCESS' ? agrees : differs(`the status is ${order.status}, not SUCCESS`);
}

/** What the account shows of the purchase. */
function shownCases(bought: Bought): readonly Case[] {
  const shown = (name: 'orders' | 'transactions', rules: readonly string[], what: string, isIt: (row: Data) => boolean): Case =>
    story(name, rules, what, async (asking) => {
      if (bought.id === undefined) return skipped('nothing was bought');
      const answer = await asking.ask(name);
      const success = successOf(name, answer);
      if (!success.ok) return success.verdict;
      return rows(success.data as Data, name).some(isIt) ? shapeVerdict(name, answer) : differs('there is no such row');
    });
  return [
    shown(
      'orders',
      ['Order status code', 'Order row'],
      'the order of a purchase is found by its serviceOrderId',
      ({ id }) => id === bought.id,
    ),
    shown(
      'transactions',
      ['Transaction row', 'Transaction type'],
      'a purchase is a transaction',
      ({ type }) => type === 'purchase',
    ),
  ];
}

/** Version 1 buys as well, under older names. */
function olderCases(): readonly Case[] {
  const legacyBody = ({ id, price }: Offered, market: string, { scene: { tradeUrl } }: Asking): Data => ({
    ...{ itemId: id, price, method: 'balance', tradeURL: tradeUrl },
    market,
  });
  return [
    story('legacyBuy', ['Versioning 4'], 'version 1 buys by tradeURL, method and its own market names', async (asking) => {
      const answer = await firstBought(asking, 'legacyBuy', (offered) =>
        legacyBody(offered, offered.market === 'c5game' ? 'c5' : offered.market, asking),
      );
      return answer ? shapeVerdict('legacyBuy', answer) : nothingStands();
    }),
    story(
      'legacyBuy',
      ['Versioning 4', 'Errors 3'],
      'refused where broken: version 1 calls the market c5, not c5game',
      async (asking) => {
        const [offered] = asking.scene.listings;
        if (!offered) return nothingStands();
        return refusedWith(asking, 'legacyBuy', { body: legacyBody(offered, 'c5game', asking) });
      },
    ),
  ];
}

/** Cheap listings are taken by others too: the next ones are tried where one is gone. */
async function firstBought(
  asking: Asking,
  name: 'buy' | 'legacyBuy',
  written: (offered: Offered) => Data,
): Promise<ProbeAnswer | undefined> {
  for (const [at, offered] of asking.scene.listings.slice(1, 6).entries()) {
    const answer = await asking.ask(name, { body: written(offered) });
    if (at === 4 || successOf(name, answer).ok) return answer;
  }
  return undefined;
}
