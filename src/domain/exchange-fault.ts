/** What a fault of the embedded exchange touches. */
export type ExchangeFaultArea = 'buy' | 'read' | 'any' | 'feed' | 'orders' | 'balance' | 'health' | 'money' | 'webhook';

export interface ExchangeFault {
  readonly area: ExchangeFaultArea;
  /** What happens when it strikes, and per what its rate counts. */
  readonly doc: string;
  /** Rate from 0 to 1 when the configuration says nothing. */
  readonly rate: number;
}

/**
 * Everything that the embedded exchange can do wrong, as data: the documentation, the configuration's schema, the command
 * line and the exchange itself read this table. It stands here because both the settings and the exchange need it.
 */
export const exchangeFaults = {
  buyLostBefore: { area: 'buy', rate: 0, doc: 'The connection breaks after the buy was read; nothing was executed.' },
  buyLostAfter: { area: 'buy', rate: 0, doc: 'The buy is executed, then the connection breaks without an answer.' },
  buyLate: { area: 'buy', rate: 0, doc: 'The buy is executed at once, its answer comes late.' },
  buyExecutedLate: {
    area: 'buy',
    rate: 0,
    doc: 'The buy is answered 504 at once and executed later, as if it had stood in a queue.',
  },
  buyCut: {
    area: 'buy',
    rate: 0,
    doc: 'The buy is executed; the answer ends in the middle, by a clean end or a broken connection.',
  },
  buyHtml: {
    area: 'buy',
    rate: 0,
    doc: 'The buy is answered with an HTML page, status 200 or 502; executed or not, by an even draw.',
  },
  buyErrorBefore: { area: 'buy', rate: 0, doc: 'The buy is answered 500; nothing was executed.' },
  buyErrorAfter: { area: 'buy', rate: 0, doc: 'The buy is executed and answered 500.' },
  buyRefusedYetBought: {
    area: 'buy',
    rate: 0,
    doc: 'The buy is executed and answered with a refusal (gone, repriced, funds, 429, or 200 with success false).',
  },
  buyProcessing: {
    area: 'buy',
    rate: 0,
    doc: 'The buy is answered 409: in process, check whether an order was created; executed or not, by an even draw.',
  },
  buyTwice: { area: 'buy', rate: 0, doc: 'One buy becomes two orders, both debited.' },
  buyWithoutOrderId: { area: 'buy', rate: 0, doc: 'The success lacks serviceOrderId; only the upstream orderId is there.' },
  buyUnusualStatus: { area: 'buy', rate: 0, doc: 'The success carries an order status other than SUCCESS.' },
  buyOtherGoods: {
    area: 'buy',
    rate: 0,
    doc: 'The success shows another listing as the item bought (the order is for the one asked for).',
  },
  buyRefusedOwner: {
    area: 'buy',
    rate: 0,
    doc: 'The buy is refused because the trade URL is called invalid; nothing was executed.',
  },
  readLost: { area: 'read', rate: 0, doc: 'The connection breaks without an answer to a read.' },
  readLate: { area: 'read', rate: 0, doc: 'The answer to a read comes late.' },
  readCut: { area: 'read', rate: 0, doc: 'The answer to a read ends in the middle, by a clean end or a broken connection.' },
  readHtml: { area: 'read', rate: 0, doc: 'A read is answered with an HTML page, status 200 or 502.' },
  readError: { area: 'read', rate: 0, doc: 'A read is answered 500.' },
  readOddShape: {
    area: 'read',
    rate: 0,
    doc: 'A read is answered with success and an empty list, or null, where an object belongs.',
  },
  tooMany: {
    area: 'any',
    rate: 0,
    doc: 'The request is answered 429 and not executed; Retry-After is seconds, a fraction, a date, 0, negative, nonsense, huge or absent.',
  },
  forbidden: {
    area: 'any',
    rate: 0,
    doc: 'A spell begins in which every request is answered 403 and not executed, as a ban would.',
  },
  dateWrong: { area: 'any', rate: 0, doc: 'The Date header of an answer is an hour off.' },
  feedFrozen: {
    area: 'feed',
    rate: 0,
    doc: 'A spell begins in which the live listings are the same answer again, requestId included.',
  },
  feedPriceSlip: {
    area: 'feed',
    rate: 0,
    doc: 'All prices, or all Steam prices, of one live answer slip by a factor of 10 or 100, up or down.',
  },
  feedDuplicates: {
    area: 'feed',
    rate: 0,
    doc: 'Some listings of one live answer stand twice, half of them at another price the second time.',
  },
  feedBadRows: {
    area: 'feed',
    rate: 0,
    doc: 'Some entries of one live answer are damaged: null, text for a number, wear 7, a missing id, control characters in the name.',
  },
  feedShort: { area: 'feed', rate: 0, doc: 'One live answer is empty, or holds a tenth of the listings beside the full count.' },
  ordersNever: { area: 'orders', rate: 0, doc: 'An order never shows in the orders, for as long as this is on.' },
  ordersLate: { area: 'orders', rate: 0, doc: 'An order shows in the orders only after a while.' },
  ordersPartial: {
    area: 'orders',
    rate: 0,
    doc: 'One orders answer lacks rows (the newest, or some anywhere); returned is below total.',
  },
  ordersOtherItemId: {
    area: 'orders',
    rate: 0,
    doc: 'itemId of an order or transaction is the listing id, not the 16-hex item id.',
  },
  ordersTimestampSeconds: {
    area: 'orders',
    rate: 0,
    doc: 'timestamp of an order or transaction is in seconds, not milliseconds.',
  },
  ordersBaseAmount: { area: 'orders', rate: 0, doc: 'amount of an order is the base price without the fee.' },
  ordersDuplicates: { area: 'orders', rate: 0, doc: 'Some rows of one orders or transactions answer stand twice.' },
  ordersOddStatus: {
    area: 'orders',
    rate: 0,
    doc: 'One orders answer shows some orders in an earlier state than they are in, or in one that nobody has heard of.',
  },
  transactionsLate: { area: 'orders', rate: 0, doc: 'A transaction shows in transactions and ledger only after a while.' },
  balanceLag: { area: 'balance', rate: 0, doc: 'One profile answer shows the balance as it was a while ago.' },
  balanceOdd: {
    area: 'balance',
    rate: 0,
    doc: 'One profile answer shows a balance that is negative, null or a hundred times too high.',
  },
  healthDegraded: { area: 'health', rate: 0.05, doc: 'A market has a degraded spell; the rate counts per market and minute.' },
  healthDown: {
    area: 'health',
    rate: 0.02,
    doc: 'A market has a spell of being down, in which its buys are refused; the rate counts per market and minute.',
  },
  healthLying: {
    area: 'health',
    rate: 0,
    doc: 'One health answer is wrong: ok in a bad spell, an unheard-of word, contradictory flags, an absurd age, or a market missing.',
  },
  orderFails: { area: 'money', rate: 0.05, doc: 'An order fails on its way and is refunded.' },
  orderReverts: { area: 'money', rate: 0.03, doc: 'An order is reverted, in the hold or after completion, and refunded.' },
  feeDrift: { area: 'money', rate: 0, doc: 'An order is debited 0.5 to 3 % more than priceWithFee.' },
  refundLate: { area: 'money', rate: 0, doc: 'A refund comes late.' },
  refundPartial: { area: 'money', rate: 0, doc: 'A refund gives back only a part.' },
  refundTwice: { area: 'money', rate: 0, doc: 'A refund is booked twice.' },
  refundNever: { area: 'money', rate: 0, doc: 'A failed or reverted order is not refunded.' },
  foreignBuyer: {
    area: 'money',
    rate: 0,
    doc: 'After an accepted buy another client of the same account buys a look-alike (or, if there is none, something cheap); the rate counts per accepted buy.',
  },
  webhookLost: { area: 'webhook', rate: 0, doc: 'An event is never sent.' },
  webhookTwice: { area: 'webhook', rate: 0, doc: 'An event is sent twice.' },
  webhookLate: { area: 'webhook', rate: 0, doc: 'An event is sent late, after younger ones.' },
} as const satisfies Record<string, ExchangeFault>;

export type ExchangeFaultName = keyof typeof exchangeFaults;

export type ExchangeFaultRates = Readonly<Record<ExchangeFaultName, number>>;

export const exchangeFaultNames = Object.keys(exchangeFaults) as readonly ExchangeFaultName[];

export function isExchangeFaultName(text: string): text is ExchangeFaultName {
  return Object.hasOwn(exchangeFaults, text);
}

/** The given rates, and the table's own for the rest. Throws RangeError for a rate outside 0 to 1. */
export function faultRates(given: Partial<ExchangeFaultRates> = {}): ExchangeFaultRates {
  const rates: Record<string, number> = {};
  for (const name of exchangeFaultNames) {
    const rate = given[name] ?? exchangeFaults[name].rate;
    if (!(rate >= 0 && rate <= 1)) throw new RangeError(`fault ${name}: the rate ${rate} is not between 0 and 1`);
    rates[name] = rate;
  }
  return rates as ExchangeFaultRates;
}

/**
 * Rates from a command line's text such as `buyLostAfter=0.1,readLate=0.05`; `all=0.02` stands for every fault, and a later
 * entry outranks an earlier one. Returns what is wrong, in words, for a name or rate that cannot be.
 */
export function faultRatesFromText(text: string): Partial<ExchangeFaultRates> | string {
  const rates: Partial<Record<ExchangeFaultName, number>> = {};
  for (const entry of text.split(',').filter((part) => part.trim() !== '')) {
    const [name = '', value = ''] = entry.split('=', 2).map((part) => part.trim());
    const rate = value === '' ? Number.NaN : Number(value);
    if (!(rate >= 0 && rate <= 1)) return `the rate of "${name}" must be a number from 0 to 1, found "${value}"`;
    if (name === 'all') for (const each of exchangeFaultNames) rates[each] = rate;
    else if (isExchangeFaultName(name)) rates[name] = rate;
    else return `there is no fault "${name}"; there are: all, ${exchangeFaultNames.join(', ')}`;
  }
  return rates;
}
