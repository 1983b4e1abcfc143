import type { ExchangeFaultName } from '../../src/domain/exchange-fault.ts';
import type { NetworkFaultName } from './network.ts';

export type Range = readonly [low: number, high: number];

/**
 * What may be on in a life within our assumptions, with the rates that are drawn from. The rates are harsh, and leave room for
 * purchases: where one stroke costs minutes (a ban, a pause for an unknown) it is rare.
 */
export const safetyFaults: Partial<Record<ExchangeFaultName, Range>> = {
  buyLostBefore: [0.01, 0.1],
  buyLostAfter: [0.01, 0.1],
  buyLate: [0.01, 0.15],
  buyExecutedLate: [0.01, 0.1],
  buyCut: [0.01, 0.1],
  buyHtml: [0.01, 0.1],
  buyErrorBefore: [0.01, 0.1],
  buyErrorAfter: [0.01, 0.1],
  buyRefusedYetBought: [0.01, 0.1],
  buyProcessing: [0.01, 0.1],
  buyWithoutOrderId: [0.01, 0.1],
  buyUnusualStatus: [0.01, 0.2],
  buyRefusedOwner: [0.01, 0.05],
  readLost: [0.01, 0.08],
  readLate: [0.01, 0.1],
  readCut: [0.01, 0.08],
  readHtml: [0.01, 0.08],
  readError: [0.01, 0.1],
  readOddShape: [0.01, 0.08],
  tooMany: [0.001, 0.01],
  forbidden: [0.0002, 0.0008],
  dateWrong: [0.01, 0.2],
  feedFrozen: [0.002, 0.03],
  feedPriceSlip: [0.002, 0.03],
  feedDuplicates: [0.01, 0.2],
  feedBadRows: [0.01, 0.3],
  feedShort: [0.005, 0.05],
  ordersLate: [0.1, 0.6],
  ordersNever: [0.01, 0.1],
  ordersPartial: [0.03, 0.3],
  ordersOtherItemId: [0.1, 0.9],
  ordersTimestampSeconds: [0.1, 0.9],
  ordersBaseAmount: [0.1, 0.9],
  ordersDuplicates: [0.03, 0.3],
  ordersOddStatus: [0.03, 0.2],
  transactionsLate: [0.1, 0.6],
  balanceLag: [0.02, 0.2],
  balanceOdd: [0.01, 0.1],
  healthDegraded: [0.02, 0.2],
  healthDown: [0.02, 0.15],
  healthLying: [0.01, 0.1],
  orderFails: [0.03, 0.3],
  orderReverts: [0.03, 0.3],
  refundLate: [0.2, 0.9],
  refundPartial: [0.05, 0.4],
  refundTwice: [0.05, 0.3],
};

/** What breaks an assumption of ours: in lives of their own, with weaker promises. */
export const beyondFaults: Partial<Record<ExchangeFaultName, Range>> = {
  buyTwice: [0.02, 0.1],
  buyOtherGoods: [0.01, 0.06],
  feeDrift: [0.02, 0.1],
  refundNever: [0.2, 0.6],
  foreignBuyer: [0.03, 0.25],
};

export const networkMenu: Readonly<Record<NetworkFaultName, Range>> = {
  connectRefused: [0.002, 0.03],
  connectStalls: [0.002, 0.02],
  requestLost: [0.002, 0.03],
  requestSlow: [0.005, 0.05],
  answerSilent: [0.002, 0.03],
  answerSlow: [0.005, 0.05],
  answerTorn: [0.005, 0.04],
  answerGarbled: [0.005, 0.04],
  answerKept: [0.01, 0.15],
};

/** Faults that befall the process and its machine, by the name under which they are counted. */
export const processFaults = ['crash', 'power', 'stop', 'disk', 'clock', 'halt', 'reload', 'backup'] as const;
export type ProcessFaultName = (typeof processFaults)[number];
