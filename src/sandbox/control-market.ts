import { exchangeFaultNames, isExchangeFaultName } from '../domain/exchange-fault.ts';
import type { Exchange } from './exchange.ts';
import type { FaultPlan } from './fault-plan.ts';
import type { MarketListing } from './listing.ts';
import { failureIn, type Scripted } from './scripted.ts';

/** What a test may do to the market, beyond what the partner API lets anybody do. */
export interface Handles {
  readonly exchange: Exchange;
  readonly plan: FaultPlan;
  readonly scripted: Scripted;
}

type Given = Readonly<Record<string, unknown>>;

/** What was done, or in words why nothing was. */
export type Done = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly why: string };

const no = (why: string): Done => ({ ok: false, why });
const yes = (value: unknown): Done => ({ ok: true, value });

/** All that stands, in feed order, whatever faults show of it. */
export function standingListings({ exchange }: Handles): Done {
  return yes({ listings: exchange.market.standing.inOrder().map(({ wire }) => wire) });
}

/** Puts up a listing of an item of the catalogue; it stands until it is sold, repriced or taken away by a test. */
export function putUp({ exchange }: Handles, given: Given): Done {
  const { marketHashName, price } = given;
  const item = exchange.catalogue.items.find(({ name }) => name === marketHashName);
  if (!item) return no('marketHashName must be the whole name of an item of the game');
  if (price !== undefined && !isPrice(price)) return no(PRICE);
  if (given['market'] !== undefined && given['market'] !== 'c5game' && given['market'] !== 'ecosteam')
    return no('market is c5game or ecosteam');
  const fixed = ['id', 'itemId', 'marketHashName'].filter((name) => name !== 'marketHashName' && name in given);
  if (fixed.length > 0) return no(`${fixed.join(' and ')} cannot be chosen`);
  return yes(exchange.market.putUp(item, given).wire);
}

/** Gives a listing another base price, in dollars; the price with the fee follows unless it is given. */
export function reprice(handles: Handles, given: Given): Done {
  const { price, priceWithFee } = given;
  if (!isPrice(price)) return no(PRICE);
  if (priceWithFee !== undefined && !isPrice(priceWithFee)) return no('priceWithFee must be dollars above 0');
  return withListing(handles, given, (listing) => handles.exchange.market.reprice(listing, price, priceWithFee).wire);
}

/** A rival takes it: whoever buys it now is told that it is gone. */
export function sellToRival(handles: Handles, given: Given): Done {
  return withListing(handles, given, (listing) => {
    handles.exchange.market.take(listing);
    return { sold: listing.wire };
  });
}

/** Has the next calls fail: those of an endpoint as it says, or whatever a fault of the table befalls. */
export function failNext({ plan, scripted }: Handles, given: Given): Done {
  const { fault, times = 1 } = given;
  if (fault === undefined) {
    const failure = failureIn(given);
    if (typeof failure === 'string') return no(`${failure}; or give fault, the name of one`);
    scripted.add(failure);
    return yes({ next: failure });
  }
  if (typeof fault !== 'string' || !isExchangeFaultName(fault))
    return no(`there is no such fault; there are ${exchangeFaultNames.join(', ')}`);
  if (typeof times !== 'number' || !Number.isInteger(times) || times < 1 || times > 1_000)
    return no('times must be a whole number from 1 to 1000');
  plan.strikeNext(fault, times);
  return yes({ next: { fault, times } });
}

const PRICE = 'price must be dollars above 0';

function isPrice(value: unknown): value is number {
  return typeof value === 'number' && value > 0 && value < 1e6;
}

function withListing({ exchange }: Handles, { market, id }: Given, work: (listing: MarketListing) => unknown): Done {
  const listing = exchange.market.standing.byKey(`${String(market)}:${String(id)}`);
  return listing ? yes(work(listing)) : no('market and id must be those of a listing that stands');
}
