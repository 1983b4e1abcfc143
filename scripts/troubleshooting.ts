import { type AlertKind, alertKinds } from '../src/domain/alert.ts';
import type { FaultCause } from '../src/domain/fault.ts';
import { type ReasonCode, reasons } from '../src/domain/reason.ts';
import { type ExitCode, exitTexts } from '../src/cli/exit.ts';

const nothing = 'Nothing: it passes by itself.';
const never = 'Nothing: it is not bought.';
const window = (key: string): string =>
  `Wait: the window moves on. If it is too tight for you, raise ${key}; it counts a second or two after a save.`;
const total = (key: string): string => `Raise ${key} when you want more bought: waiting gives no room again.`;
const own = "the strategy's ";

/** What a person does about each reason for not buying. */
const reasonSteps: Readonly<Record<ReasonCode, string>> = {
  halted: 'Read the reason with `magpie status`, look into it, then `magpie resume`.',
  claimed: 'Nothing: the accounts take turns, and the other one had it.',
  starting: 'Wait a few seconds. If it stays, `magpie status` says what is missing.',
  stopping: 'Nothing: start it again.',
  'orders-unread': 'See at the service whether your orders can be read. It goes on by itself.',
  'lock-lost': 'Stop the other process that holds the lock.',
  'unknown-pause':
    '`magpie purchases --state unknown` lists them; look at the service, then `magpie resolve ID`, or wait for evidence.',
  slept: nothing,
  'market-unheard-of': 'Nothing; a newer Magpie may know this market.',
  'health-unknown':
    'Where the key may not read health: set `account.partnerKey`, or `feed: { health: { require: off } }`. Else wait.',
  'health-poor': 'Wait until the market is well, or set `feed.health.require` lower.',
  'snapshot-stale': 'Check the network and whether the service is up.',
  'balance-unknown': 'Wait a few seconds. If it stays, see whether the service and the key are well.',
  reserve: 'Add to the balance, or lower `limits.reserve`.',
  'max-price': 'Raise `limits.maxPrice`, if you want things this dear.',
  never: 'Take the name off `limits.never`, if you want it after all.',
  'reference-odd': 'Nothing: one of the two prices is wrong. A strategy with `price.max` alone does not look at steamPrice.',
  'reference-jumped':
    'Nothing, if it passes. `magpie why ID` shows the record; a price that has truly moved is believed in some days, or with a larger `reference.maxJump`.',
  'moved-on': 'Nothing: it is looked at again.',
  'market-fall':
    'Look at the market. It goes on by itself when prices have been steady for a day; `magpie resume` ends it at once.',
  'spend-hour': window('`limits.spend.hour`'),
  'spend-day': window('`limits.spend.day`'),
  'spend-total': total('`limits.spend.total`'),
  'item-hour': window('`limits.perItem.hour`'),
  'item-day': window('`limits.perItem.day`'),
  'item-total': total('`limits.perItem.total`'),
  'strategy-spend-hour': window(`${own}\`limits.spend.hour\``),
  'strategy-spend-day': window(`${own}\`limits.spend.day\``),
  'strategy-spend-total': total(`${own}\`limits.spend.total\``),
  'strategy-count-hour': window(`${own}\`limits.count.hour\``),
  'strategy-count-day': window(`${own}\`limits.count.day\``),
  'strategy-count-total': total(`${own}\`limits.count.total\``),
  'strategy-item-hour': window(`${own}\`limits.perItem.hour\``),
  'strategy-item-day': window(`${own}\`limits.perItem.day\``),
  'strategy-item-total': total(`${own}\`limits.perItem.total\``),
  'open-purchases':
    'Wait until some are completed, or raise `limits.openPurchases`. `magpie status` shows trade offers that wait for you.',
  'breaker-per-hour': 'See whether the purchases were meant. Raise `limits.breaker.perHour` if they were.',
  taken: never,
  'refusal-unconfirmed': nothing,
  'refused-before': 'Nothing: a new price is a new offer.',
  'refusal-cause': 'Mend the cause that is named: balance, key, trade URL. Too many requests pass by themselves.',
  'already-simulated': 'Nothing: a dry run counts each offer once.',
  slowed: 'Wait. If it comes often, lower `rate.reads` and `rate.buys`, or find out what else uses the key.',
  caution: 'Wait. If it comes often, see the alerts of `magpie status`: key, trade URL or network.',
  expired: 'Nothing. If many expire, more match than `rate.buys` lets out: raise it with care, or make strategies choosier.',
  'journal-failed': 'Free disk space and check the permissions of the data folder.',
  'clock-wrong': 'Set the clock right, have NTP keep it, and start Magpie again: a run reads it once.',
};

/** How the messages of each kind of alert begin, with … for what changes. Those that only channels are told are in words of their own. */
const alertMessages: Readonly<Record<AlertKind, readonly string[]>> = {
  halt: ['Buying has halted itself: …'],
  unknown: ['Nobody can say yet whether purchase … was bought'],
  accept: ['The trade offer of purchase … waits to be accepted: …'],
  'low-balance': ['The free balance is …, below …'],
  'late-bought': ['…, and was bought after all.'],
  adopted: ["Order … is no purchase of ours: it counts in the account's caps"],
  debit: ['… was debited for purchase …, … was expected', '…, not in dollars: its amount is not booked'],
  treasury: [
    'the treasury has halted itself: …',
    'the treasury has ended by itself: …',
    'transfer …, … to …, is not settled',
    '… gets nothing: …',
  ],
  stuck: ['The order of … is still … after … minutes', "…, and the service's list of orders has never shown it"],
  refund: ['… came back', '… than was paid: it is not counted'],
  reverted: ['The order of purchase …: its money is due back'],
  'feed-stale': ['No whole answer of the live listings for …', 'Nothing has moved in the live listings for …'],
  'orders-unread': ['Buying pauses: …, so nobody can tell what was bought'],
  health: ['The health of the markets could not be read for …', 'The key may not read the health of the markets …'],
  key: ['The service refuses the key: …', 'The service refused a purchase for a reason that you must cure: …'],
  owner: ['The service refused a purchase for a reason that you must cure: …'],
  'slowed-down': ['The service asks us to slow down', 'The service shuts its door on this key'],
  clock: ['The clock of this machine jumped …', 'Nothing is bought while the clock cannot be trusted: …'],
  limits: ['More may be bought than before: …'],
  rules: [
    'What was changed in the configuration or a strategy has a fault and does not count: …',
    'Only limits and strategies change while Magpie runs; what waits for the next start: …',
  ],
  'trade-url': ['The trade URL is another than at the last start: goods go there from now on'],
  restarts: ['Magpie has ended … times within ten minutes without having been asked to'],
  disk: [
    'The journal cannot be written: …',
    'Recording pauses: …',
    'The disk is nearly full: …',
    'No backup could be made: …',
    'The ledger could not be checked for damage: …',
    'The ledger has lost what it wrote last: its write-ahead log was damaged',
  ],
  lock: ['a lock was removed and cannot be taken again: …'],
  reference: ['A steamPrice has jumped, so nothing is bought by it: …'],
  'market-fall': [
    'Prices have fallen all over the market, so buying pauses: …',
    'The fall of the market pauses buying no more: …',
  ],
  reserve: ['The balance has reached the reserve of …'],
  listing: [
    '… known prices moved more than … times at once: nothing is judged while this lasts',
    'the answer counts … listings but holds …',
  ],
  'order-odd': ['… has a status that Magpie has not heard of: …'],
  'balance-odd': ['The balance is … lower than purchases and orders explain'],
  channel: ['… takes no alerts, which wait meanwhile: …'],
  monitoring: [
    'Nobody can read metrics at …',
    'No webhook can be told at …',
    'deadMan.url takes no pings, so whoever waits for them will say that Magpie is down: …',
    'The service manager that started Magpie cannot be told that it runs: …',
  ],
  purchase: [],
  digest: [],
};

/** What a person does about each exit code. */
const exitSteps: Readonly<Record<ExitCode, string>> = {
  0: 'Nothing.',
  1: 'Read the last lines of the log. A supervisor may start it again: whatever was in flight is settled first.',
  2: '`magpie check --config FILE`. Starting it again mends nothing.',
  3: 'Stop the other process: `magpie status` says whether one runs. Starting it again mends nothing.',
};

/** What is the matter with the service for each cause of a failed request, and what a person does. */
const causeSteps: Readonly<Record<FaultCause, readonly [string, string]>> = {
  gone: ['the listing is sold or taken back', 'Nothing: somebody was faster.'],
  repriced: ['the price has moved', 'Nothing: at the new price it is a new offer.'],
  funds: ['the balance does not allow it', 'Add to the balance; is somebody else spending it?'],
  owner: ['the trade URL or the account is not in order', 'Check `account.tradeUrl` and the state of the account.'],
  key: ['the key is missing, wrong, or may not do this', 'Check `MAGPIE_API_KEY`, and what the key may do.'],
  rate: ['too many requests', 'Wait. Lower `rate.reads` and `rate.buys`, or find out what else uses the key.'],
  ban: ['the door is shut on the key or the machine', 'Ask the service why. Magpie tries again by itself, ever more seldom.'],
  request: [
    'the service calls the request wrong',
    'Is `service.baseUrl` right? Else the service has changed: look for a newer Magpie.',
  ],
  service: ['the service is not well', 'Wait.'],
  timeout: ['no answer in time', 'Check the network; raise `rate.timeout` if the service is slow.'],
  connection: ['no connection, or it broke', 'Check `service.baseUrl`, the network, a firewall.'],
  unreadable: [
    'the answer is not what the service should send',
    'Is `service.baseUrl` right, and nothing in between, such as a login page?',
  ],
  redirect: ['another address answers', 'Check `service.baseUrl`. Redirects are never followed, since keys would travel along.'],
  stale: [
    'an old answer was given again by something in between',
    'Nothing, if it passes: it counts as none. Else look for a cache on the way.',
  ],
  other: ['none of these', 'Read what the service says.'],
};

/** The rows of docs/troubleshooting.md that are derived, by the name of the place where they stand. */
export function troubleshootingTables(): Readonly<Record<string, string>> {
  const byReason = Object.entries(reasonSteps).map(
    ([code, step]) => `| \`${code}\` | ${reasons[code as ReasonCode].text} | ${step} |`,
  );
  const byAlert = Object.entries(alertMessages).map(([kind, messages]) => {
    const shown = messages.length === 0 ? 'told on channels alone' : messages.map((message) => `\`${message}\``).join('<br>');
    return `| ${shown} | \`${kind}\` | ${alertKinds[kind as AlertKind].next} |`;
  });
  const byExit = Object.entries(exitSteps).map(
    ([code, step]) => `| ${code} | ${exitTexts[Number(code) as ExitCode]} | ${step} |`,
  );
  const byCause = Object.entries(causeSteps).map(([cause, [text, step]]) => `| \`${cause}\` | ${text} | ${step} |`);
  return {
    'exit codes': ['| exit code | what it says | what to do |', '| --- | --- | --- |', ...byExit].join('\n'),
    causes: ['| cause | what it means | what to do |', '| --- | --- | --- |', ...byCause].join('\n'),
    reasons: ['| reason | what it means | what to do |', '| --- | --- | --- |', ...byReason].join('\n'),
    alerts: ['| the message | kind | what to do |', '| --- | --- | --- |', ...byAlert].join('\n'),
  };
}

/** A page that is written by hand, with each derived table between its comments. Throws when a place for one is missing. */
export function withTables(page: string, tables: Readonly<Record<string, string>>): string {
  return Object.entries(tables).reduce((text, [name, table]) => {
    const place = new RegExp(`(<!-- ${name}: [^\\n]*-->\\n)[\\s\\S]*?(<!-- end of ${name} -->)`);
    if (!place.test(text)) throw new Error(`there is no place for the table of ${name}`);
    return text.replace(place, (_, opening: string, closing: string) => `${opening}${table}\n\n${closing}`);
  }, page);
}
