import { type ExchangeFaultName, type ExchangeFaultRates, exchangeFaultNames } from '../../src/domain/exchange-fault.ts';

/**
 * How often each fault strikes its occasions in the long run: about a third of all buys and a tenth of all reads go wrong. What
 * stops buying for minutes (a ban) or until a person acts (other goods, a higher debit) is rare, or nothing else would happen.
 */
export const troubledRates: ExchangeFaultRates = {
  buyLostBefore: 0.02,
  buyLostAfter: 0.03,
  buyLate: 0.03,
  buyExecutedLate: 0.02,
  buyCut: 0.03,
  buyHtml: 0.02,
  buyErrorBefore: 0.02,
  buyErrorAfter: 0.03,
  buyRefusedYetBought: 0.03,
  buyProcessing: 0.02,
  buyTwice: 0.02,
  buyWithoutOrderId: 0.03,
  buyUnusualStatus: 0.03,
  buyOtherGoods: 0.01,
  buyRefusedOwner: 0.008,
  readLost: 0.015,
  readLate: 0.015,
  readCut: 0.015,
  readHtml: 0.015,
  readError: 0.015,
  readOddShape: 0.015,
  tooMany: 0.003,
  forbidden: 0,
  dateWrong: 0.03,
  feedFrozen: 0.01,
  feedPriceSlip: 0.02,
  feedDuplicates: 0.05,
  feedBadRows: 0.05,
  feedShort: 0.03,
  ordersNever: 0,
  ordersLate: 0.1,
  ordersPartial: 0.1,
  ordersOtherItemId: 0.2,
  ordersTimestampSeconds: 0.2,
  ordersBaseAmount: 0.1,
  ordersDuplicates: 0.1,
  ordersOddStatus: 0.1,
  transactionsLate: 0.1,
  balanceLag: 0.05,
  balanceOdd: 0.05,
  healthDegraded: 0.1,
  healthDown: 0.08,
  healthLying: 0.05,
  orderFails: 0.1,
  orderReverts: 0.1,
  feeDrift: 0.01,
  refundLate: 0.3,
  refundPartial: 0.1,
  refundTwice: 0.1,
  refundNever: 0.1,
  foreignBuyer: 0.03,
  webhookLost: 0,
  webhookTwice: 0,
  webhookLate: 0,
};

/** Nothing is posted anywhere in a run. */
const isMet = (name: ExchangeFaultName): boolean => !name.startsWith('webhook');

/** Nothing goes wrong any more, not even what is part of ordinary life. */
export const noTrouble = Object.fromEntries(exchangeFaultNames.map((name) => [name, 0])) as ExchangeFaultRates;

/** The service shuts the door on us once in a run, at this share of the time: Magpie then keeps quiet for five minutes or more. */
const BAN_AT = 0.3;

/** From this share of the time on, a fault that has not struck yet is made likelier. */
const URGED_FROM = 0.6;

/**
 * The rates at a moment of the run, from how far it has come (0 to 1) and how often each fault has struck: every fault must have
 * had its turn by the end.
 */
export function ratesAt(progress: number, struck: Readonly<Record<string, number>>): ExchangeFaultRates {
  const never = (name: ExchangeFaultName): boolean => (struck[name] ?? 0) === 0;
  const urged = exchangeFaultNames.map((name) => [name, progress >= URGED_FROM && never(name) ? 0.3 : troubledRates[name]]);
  const forbidden = progress >= BAN_AT && never('forbidden') ? 1 : 0;
  return { ...(Object.fromEntries(urged) as ExchangeFaultRates), forbidden };
}

/** Faults that have not struck, in the order of the table. */
export function neverStruck(struck: Readonly<Record<string, number>>): ExchangeFaultName[] {
  return exchangeFaultNames.filter((name) => isMet(name) && (struck[name] ?? 0) === 0);
}
