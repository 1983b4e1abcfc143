import type { EpochMs } from './clock.ts';

interface Kind {
  /** What has happened. */
  readonly text: string;
  /** What a person may do; an alert itself says it with its own figures. */
  readonly next: string;
}

/** Everything that a person is told of without having asked. The reference page is made from this table. */
export const alertKinds = {
  halt: {
    text: 'Buying has halted itself: too many refusals in a row, far more matches or spend than usual, goods or a debit other than asked for, or, on a dedicated account, an order or a fall of the balance that nothing explains.',
    next: 'Look into the reason, then `magpie resume`.',
  },
  unknown: {
    text: 'Nobody can say whether a purchase was bought: a minute after an outcome that is unknown, ten after a refusal that no look has confirmed.',
    next: 'Look at the service for it, then `magpie resolve`; without that, evidence goes on deciding. `magpie purchases ID` shows how far it is.',
  },
  accept: {
    text: 'The order of a purchase has become active: its trade offer waits to be accepted. With the time at which the service settles it, where it shows one.',
    next: 'Accept the offer: who does not accept in time can be charged. `magpie status` shows those that wait.',
  },
  'low-balance': {
    text: 'The free balance has fallen below `alerts.lowBalance`, or else below the reserve and a fifth of it.',
    next: 'Add to the balance before the reserve is reached.',
  },
  'late-bought': {
    text: 'A purchase that had been refused or disproved was bought after all.',
    next: 'Nothing: its money counts again.',
  },
  adopted: {
    text: 'An order of the account that no purchase explains. It counts in the caps from now on.',
    next: 'Nothing, if you bought it yourself; else change the key.',
  },
  debit: {
    text: 'More was debited than expected, or in another currency. Buying halts.',
    next: 'Compare it with the service, then `magpie resume`.',
  },
  treasury: {
    text: 'The treasury has halted itself, has ended though nobody stopped it, cannot settle a transfer for an hour, or leaves a child below its floor. Told by `magpie treasury run` alone, on the channels of its own configuration.',
    next: 'See `magpie treasury status`; the alert says what to do.',
  },
  stuck: {
    text: 'An order stays pending or active for longer than `alerts.stuckAfter`, or no list has ever shown it.',
    next: 'Accept its trade offer, if there is one; else look it up at the service.',
  },
  refund: {
    text: 'Money came back, or more of it than was paid.',
    next: 'Nothing; where it was too much, compare it with the service.',
  },
  reverted: {
    text: 'An order failed or was reverted.',
    next: 'Nothing, if its refund shows up soon; else ask the service for it.',
  },
  'feed-stale': {
    text: 'No whole answer of the live listings for a minute or ten polls, whichever is longer, old ones given again not counted; or nothing has moved in them for a quarter of an hour.',
    next: 'Check the network and the service; Magpie goes on asking.',
  },
  'orders-unread': {
    text: 'The orders of the account, or some of them, could not be read for several looks. Buying pauses.',
    next: 'See at the service whether they can be read; buying goes on by itself when they can.',
  },
  health: {
    text: 'The health of the markets cannot be read, so nothing is bought.',
    next: 'Where the key may not: set `account.partnerKey`, or `feed.health.require: off`. Else see whether the service is up.',
  },
  key: { text: 'The service refuses the key.', next: 'Check `account.apiKey` and what the key may do; Magpie goes on trying.' },
  owner: {
    text: 'The service wants a person to act: the trade URL or the account is not in order.',
    next: 'Check `account.tradeUrl` and the state of the account at the service.',
  },
  'slowed-down': {
    text: 'The service asks us to slow down for a minute or longer, or shuts its door on the key.',
    next: 'Lower `rate.reads` and `rate.buys`, or find out what else uses the key; Magpie goes on by itself.',
  },
  clock: {
    text: 'The clock of this machine is wrong at the start, which keeps buying closed, or has jumped by more than a minute; after a jump ahead nothing is bought until balance and health are read anew.',
    next: 'Set it right, and have NTP keep it; where it keeps buying closed, start Magpie again: a run reads it once.',
  },
  limits: {
    text: 'A limit was raised while Magpie runs, a name taken off `limits.never`, a strategy put from paper to live, or a live one added.',
    next: 'Nothing, if you changed it; else see who may write the configuration and the strategies.',
  },
  rules: {
    text: 'The configuration or a strategy was changed while Magpie runs and has a fault: nothing of the change counts, and what counted before goes on. Or a key was changed that counts from the next start on.',
    next: 'Mend it; `magpie check` shows each fault with its line. For what waits, start `magpie run` again.',
  },
  'trade-url': {
    text: 'The trade URL is another than at the last start.',
    next: 'Nothing, if you changed it; else stop Magpie and see who changed the configuration or its variables.',
  },
  restarts: {
    text: 'Magpie has ended three times or more within ten minutes without having been asked to. It goes on: caps and halts outlast a restart.',
    next: 'See in the log and at the supervisor what ends it.',
  },
  disk: {
    text: 'The journal cannot be written, or the nightly check has found it damaged, and nothing is bought meanwhile; or the recording pauses; or what the ledger wrote last is lost, and buying halts; or less than `disk.minFree` is free; or a scheduled backup, or the check, failed.',
    next: 'Free disk space, or repair the data folder; buying, recording and backups go on by themselves. A damaged ledger: `magpie restore`.',
  },
  lock: {
    text: 'The lock of the data folder or of the key was removed while Magpie ran, and cannot be taken again. Buying pauses.',
    next: 'Stop the other process that has it; buying goes on by itself.',
  },
  reserve: { text: 'The balance has reached the reserve.', next: 'Add to the balance, or lower `limits.reserve`.' },
  reference: {
    text: 'The steamPrice of an item has jumped from our own record of it, so nothing is bought by it; at most once a day.',
    next: 'Nothing, if it passes; `magpie why` shows the record. What has truly moved is believed in some days.',
  },
  'market-fall': {
    text: 'Prices have fallen all over the market, so buying pauses; or they have been steady since, and it goes on.',
    next: 'Look at the market. Buying goes on by itself when it has been steady for a day, or at once with `magpie resume`.',
  },
  listing: {
    text: 'The live listings are odd as a whole: prices that jump together, a count that contradicts them.',
    next: 'Nothing, if it passes soon: what is odd is not judged. Else ask the service.',
  },
  'order-odd': {
    text: 'An order has a status that Magpie has not heard of. The purchase stays open.',
    next: 'Look it up at the service.',
  },
  'balance-odd': {
    text: 'The balance is lower than purchases and orders explain. A dedicated account halts.',
    next: 'Nothing, if you spent or withdrew it yourself; else look at the account, and run `magpie audit`.',
  },
  channel: {
    text: 'A channel of `notify` refuses alerts, or has taken none for some ten minutes. They wait for it.',
    next: 'Try it with `magpie notify test`, which says what to do.',
  },
  monitoring: {
    text: 'Whoever watches Magpie is told nothing: the address of `metrics` or `webhooks` cannot be listened at, `deadMan.url` takes no pings, or the service manager cannot be told.',
    next: 'See what the alert says of it; Magpie goes on buying, and tries again.',
  },
  purchase: {
    text: 'A live purchase was accepted. Told on the channels of `notify` alone: the log says it in a line of its own.',
    next: 'Nothing.',
  },
  digest: {
    text: 'What happened since the digest before: purchases, spend, refunds, what is open or unknown, the balance. Daily at `notify.digest`, on the channels alone.',
    next: 'Nothing.',
  },
} as const satisfies Record<string, Kind>;

export type AlertKind = keyof typeof alertKinds;

/** Something a person should know, with one next step. */
export interface Alert {
  readonly kind: AlertKind;
  readonly at: EpochMs;
  readonly message: string;
  /** What to do; undefined when there is nothing to do. */
  readonly next: string | undefined;
  readonly purchaseId: number | undefined;
}

/** The form in which alerts leave Magpie: ISO times, absent values null. */
export function alertJson({ kind, at, message, next, purchaseId }: Alert): Record<string, unknown> {
  return { kind, at: new Date(at).toISOString(), message, next: next ?? null, purchaseId: purchaseId ?? null };
}
