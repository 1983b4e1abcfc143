interface Reason {
  /** One sentence for a person; what to do next where there is something to do. */
  readonly text: string;
  /** The same listing at the same price may be admitted later without having changed. */
  readonly passes: boolean;
}

/** Why a match was not bought. The reference page and `magpie why` are made from this table. */
export const reasons = {
  halted: { text: 'Buying is halted. See `magpie status` for why, then `magpie resume`.', passes: true },
  claimed: {
    text: 'Another account of the same process has it, or has tried to buy it: no listing is bought for two (docs/accounts.md).',
    passes: true,
  },
  starting: { text: 'The start checks have not all passed yet; `magpie status` names the one that is missing.', passes: true },
  stopping: { text: 'Magpie was being stopped.', passes: true },
  'orders-unread': {
    text: 'The orders of the account, or some of them, could not be read for several minutes, so nobody can tell what was bought.',
    passes: true,
  },
  'lock-lost': {
    text: 'The lock of the data folder or of the key was removed and cannot be taken again: another process may be buying.',
    passes: true,
  },
  'unknown-pause': {
    text: 'As many purchases as `limits.unknown` allows have an unknown outcome. They settle by evidence, or by `magpie resolve`.',
    passes: true,
  },
  slept: {
    text: 'The machine seems to have slept, or its clock was set ahead: balance and health are read anew before anything is bought.',
    passes: true,
  },
  'market-unheard-of': { text: 'The listing names a market that Magpie cannot buy from.', passes: false },
  'health-unknown': {
    text: 'The health of the markets is not known, or the last answer is older than `feed.health.staleAfter`.',
    passes: true,
  },
  'health-poor': { text: 'The market does not satisfy `feed.health.require`, or its service is off.', passes: true },
  'snapshot-stale': { text: 'The newest whole answer of the live listings is too old to buy by.', passes: true },
  'balance-unknown': { text: 'There is no balance reading younger than a minute.', passes: true },
  reserve: { text: 'It would leave less than `limits.reserve` of the balance, counting all money that is held.', passes: true },
  'max-price': { text: 'It costs more than `limits.maxPrice`, fee included.', passes: false },
  never: { text: 'Its name is on the `limits.never` list.', passes: false },
  'reference-odd': {
    text: 'Price and steamPrice differ so much (below 1 % or above 20 times) that the reference is not believed.',
    passes: false,
  },
  'reference-jumped': {
    text: 'Its steamPrice is further from our own record of it than `reference.maxJump` allows, so nothing goes by it.',
    passes: true,
  },
  'moved-on': {
    text: 'What the strategy asks of the record of its name, or of the other listings of it, held when it was seen and holds no more.',
    passes: true,
  },
  'market-fall': {
    text: 'Prices have fallen all over the market (`reference.fall`): buying pauses until they have been steady for a day, or until `magpie resume`.',
    passes: true,
  },
  'spend-hour': { text: 'It would pass `limits.spend.hour`.', passes: true },
  'spend-day': { text: 'It would pass `limits.spend.day`.', passes: true },
  'spend-total': { text: 'It would pass `limits.spend.total`.', passes: true },
  'item-hour': { text: 'It would pass `limits.perItem.hour` for this item.', passes: true },
  'item-day': { text: 'It would pass `limits.perItem.day` for this item.', passes: true },
  'item-total': { text: 'It would pass `limits.perItem.total` for this item.', passes: true },
  'strategy-spend-hour': { text: "It would pass the strategy's `limits.spend.hour`.", passes: true },
  'strategy-spend-day': { text: "It would pass the strategy's `limits.spend.day`.", passes: true },
  'strategy-spend-total': { text: "It would pass the strategy's `limits.spend.total`.", passes: true },
  'strategy-count-hour': { text: "It would pass the strategy's `limits.count.hour`.", passes: true },
  'strategy-count-day': { text: "It would pass the strategy's `limits.count.day`.", passes: true },
  'strategy-count-total': { text: "It would pass the strategy's `limits.count.total`.", passes: true },
  'strategy-item-hour': { text: "It would pass the strategy's `limits.perItem.hour` for this item.", passes: true },
  'strategy-item-day': { text: "It would pass the strategy's `limits.perItem.day` for this item.", passes: true },
  'strategy-item-total': { text: "It would pass the strategy's `limits.perItem.total` for this item.", passes: true },
  'open-purchases': { text: '`limits.openPurchases` purchases are still open.', passes: true },
  'breaker-per-hour': {
    text: 'More purchases in an hour than `limits.breaker.perHour`: buying has halted itself.',
    passes: true,
  },
  taken: { text: 'This listing was bought before, or may have been: it is never bought again.', passes: false },
  'refusal-unconfirmed': { text: 'It was refused a moment ago, and the looks that free its money are not done.', passes: true },
  'refused-before': { text: 'The service refused it at this price; a new price is a new offer.', passes: false },
  'refusal-cause': { text: 'The service refused it (funds, key, trade URL or rate), and that cause has not gone.', passes: true },
  'already-simulated': { text: 'Dry-run has already counted this offer.', passes: false },
  slowed: { text: 'The service asked us to slow down; buying waits until that has passed.', passes: true },
  caution: {
    text: 'The service could not be reached, or refused the key, the trade URL or the account a moment ago; buying tries again after a pause.',
    passes: true,
  },
  expired: {
    text: 'It could not be sent within two polling intervals, or a newer snapshot showed it changed or gone.',
    passes: true,
  },
  'journal-failed': {
    text: 'The journal could not be written, so nothing was sent. Check disk space and permissions of the data folder.',
    passes: true,
  },
  'clock-wrong': {
    text: 'The clock of this machine cannot be trusted; `magpie status` says what it was compared with.',
    passes: true,
  },
} as const satisfies Record<string, Reason>;

export type ReasonCode = keyof typeof reasons;

/** Whether the same offer may be admitted later without having changed. */
export function passes(code: ReasonCode): boolean {
  return reasons[code].passes;
}
