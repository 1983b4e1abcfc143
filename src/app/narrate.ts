import { formatDollars, micros } from '../domain/money.ts';
import { bytesText, counted, printableJson } from '../domain/text.ts';

/** How a line is coloured; every function gives its text back unchanged where there is no terminal. */
export interface Palette {
  readonly dim: (text: string) => string;
  readonly strong: (text: string) => string;
  readonly good: (text: string) => string;
  readonly warn: (text: string) => string;
  readonly bad: (text: string) => string;
}

const same = (text: string): string => text;
export const plainPalette: Palette = { dim: same, strong: same, good: same, warn: same, bad: same };

/** Under the text of the line before, where its time does not stand again. */
const CONTINUED = ' '.repeat(11);

type Fields = Readonly<Record<string, unknown>>;

/** The sentence for each event that a person follows. Amounts come in as micro-dollars. */
const sentences: Readonly<Record<string, (fields: Fields, palette: Palette) => string>> = {
  started: (f, p) => `${p.strong(`Magpie ${text(f.version)}`)} ${text(f.mode)} · ${text(f.service)} · data in ${text(f.data)}`,
  notice: (f) => text(f.message),
  account: (f) => `Account ${text(f.id)} with a balance of ${money(f.balance)}`,
  watching: (f) => `Watching the live listings every ${text(f.interval)} with ${text(f.strategies)}`,
  open: (f, p) =>
    f.closed === undefined ? p.good(`Start checks passed: ${openWords(f, '')}`) : `Start checks passed; ${text(f.closed)}`,
  blocked: (f) => `Not buying: ${text(f.detail)}`,
  buying: (f, p) => `${p.strong('buy')}       ${offer(f)} · ${text(f.strategy)}`,
  simulated: (f, p) => `${p.good('would buy')} ${offer(f)} · ${text(f.strategy)} (dry-run, nothing was sent)`,
  shadow: (f, p) =>
    `${f.result === 'won' ? `${p.good('won')}      ` : `${p.warn('lost')}     `} ${goods(f)} · ${text(f.words)}${f.detail === undefined ? '' : `: ${text(f.detail)}`} (on paper)`,
  'shadow-unknown': (f, p) => p.dim(`          ${amount(f.count, 'purchase')} on paper unknown: ${text(f.words)}`),
  bought: (f, p) => `${p.good('bought')}    ${goods(f)} · order ${text(f.serviceOrderId)} · ${text(f.latency)}`,
  refused: (f, p) => `${p.dim('refused')}   ${goods(f)} · ${text(f.message)}`,
  unknown: (f) =>
    `unknown   ${goods(f)} · ${text(f.message)} · its money stays reserved until ${text(f.awaited)} → \`magpie purchases ${text(f.id)}\``,
  unsent: (f) => `not sent  ${goods(f)} · ${text(f.message)}`,
  settled: (f, p) => `${p.good(text(f.state).padEnd(9))} ${goods(f)}${f.reason === undefined ? '' : ` · ${text(f.reason)}`}`,
  'not-bought': (f, p) => `${p.dim('pass')}      ${offer(f)} · ${text(f.strategy)} · ${text(f.reason)}: ${text(f.detail)}`,
  'not-bought-more': (f, p) =>
    p.dim(`          … and ${amount(f.count, 'more match', 'more matches')} not bought (${text(f.reasons)})`),
  status: (f, p) => p.dim(f.caps === undefined ? text(f.line) : `${text(f.line)}\n${CONTINUED}${text(f.caps)}`),
  alert: (f) => `ALERT     ${text(f.message)}${f.next === undefined ? '' : ` → ${text(f.next)}`}`,
  halted: (f) => `HALTED    ${text(f.reason)} → look into it, then \`magpie resume\``,
  resumed: (f, p) => (f.closed === undefined ? p.good(`Resumed: ${openWords(f, ' again')}`) : `Resumed; ${text(f.closed)}`),
  'slowed-down': (f) => `Slowed down until ${moment(f.until)}: ${text(f.message)}`,
  'clock-stepped': (f) => `The clock moved while ${text(f.limiter)} were paced: the pace is kept by the steady clock`,
  recording: (f, p) =>
    `${p.strong(`Magpie ${text(f.version)}`)} records · ${text(f.service)} · every ${text(f.interval)} into ${text(f.file)} (nothing can be bought)`,
  recorded: (f, p) => p.dim(`${text(f.words)} so far`),
  'recording-paused': (f) => `Recording pauses: ${text(f.message)} → ${text(f.next)}`,
  'stopping-recording': (f) => `Stopping (${text(f.why)})`,
  'recording-resumed': (f, p) => p.good(`Recording again, without ${amount(f.lostPolls, 'poll')} of the time between`),
  'journal-recovered': (_, p) => p.good('The journal can be written again'),
  'backed-up': (f, p) => p.dim(`Backed up the ledger to ${text(f.file)} (${bytesText(Number(f.bytes))})`),
  'sandbox-not-kept': (f) => `The embedded exchange could not keep its books: ${text(f.message)} → free space in the data folder`,
  'late-answer-lost': (f) => `A late answer for listing ${text(f.listingId)} could not be used: ${text(f.message)}`,
  'foreign-folder': (f) => `${text(f.message)} → ${text(f.next)}`,
  defect: (f) => `A defect in Magpie, please report it: ${text(f.message)}`,
  reloaded: (f, p) => `${p.good('Changed')}   ${text(f.words)}`,
  'reload-refused': (f) =>
    `Not changed: ${text(f.fault)}${Number(f.more) > 0 ? ` (and ${amount(f.more, 'more fault')})` : ''} → \`magpie check\``,
  'poll-failed': (f) => `No listings: ${text(f.message)}${Number(f.times) > 1 ? ` (${text(f.times)} times in a row)` : ''}`,
  'poll-recovered': (f, p) => p.good(`Listings again after ${amount(f.times, 'failed poll')}`),
  'bad-listings': (f) =>
    `${amount(f.count, 'listing cannot be judged and is', 'listings cannot be judged and are')} never bought, such as ${text(f.example)}`,
  'channel-failing': (f) =>
    `${text(f.channel)} takes no alerts: ${text(f.message)}; they wait, and it is tried again → \`magpie notify test\``,
  'dead-man-failing': (f) => `deadMan.url takes no pings: ${text(f.message)}; it is tried again`,
  'counting-failed': (f) => `Metrics count no more until the next start, please report it: ${text(f.message)}`,
  'hooks-at': (f, p) => p.dim(`Listening to webhooks at ${text(f.address)}`),
  hook: (f, p) => p.dim(`webhook   ${text(f.type)}: looking at the orders`),
  'hooks-refused': (f) =>
    `A webhook was turned away: ${text(f.why)}${Number(f.count) > 1 ? ` (${text(f.count)} since this was last said)` : ''}`,
  'metrics-at': (f, p) => p.dim(`Metrics at ${text(f.address)}/metrics`),
  'page-at': (f, p) => p.dim(`The page: ${text(f.address)} (its token: ${text(f.token)})`),
  'page-unserved': (f) =>
    `No page for now: ${text(f.message)}; it is tried again each minute${f.next === undefined ? '' : ` → ${text(f.next)}`}`,
  'page-resumed': (f) => `Resumed at the page: ${text(f.reason)}`,
  stuck: (f) => `Stuck: ${text(f.what)}; the watchdog of the service manager, where there is one, is not fed`,
  'digest-failed': (f) => `No digest could be made, and it is tried again: ${text(f.message)}`,
  'channel-well': (f, p) => p.good(`${text(f.channel)} takes alerts again after ${amount(f.tries, 'try', 'tries')}`),
  'accounts-started': (f, p) =>
    `${p.strong(`Magpie ${text(f.version)}`)} serves ${amount(f.count, 'account')} on ${text(f.service)}, reading listings and health once for all`,
  'account-down': (f) =>
    `Down: ${text(f.message)}; the other accounts go on${f.again === undefined ? '' : `, and it is tried again in ${text(f.again)}`}${Number(f.times) > 1 ? ` (${text(f.times)} times in a row)` : ''}`,
  'accounts-stopped': (_, p) => p.strong('All accounts have stopped'),
  stopping: (f) => `Stopping (${text(f.why)}): no new purchase starts, those in flight are finished`,
  stopped: (f, p) => p.strong(text(f.summary)),
};

/** One line for a person. An event without a sentence of its own shows its name and fields. */
export function narrate(event: string, fields: Fields, palette: Palette): string {
  const known = sentences[event];
  if (known !== undefined) return known(fields, palette);
  const rest = Object.entries(fields).map(([key, value]) => `${key}=${text(value)}`);
  return [event, ...rest].join(' ');
}

function openWords({ paper }: Fields, again: string): string {
  return paper === true
    ? `what would be bought is written down${again} (on paper: nothing can be bought)`
    : `buying is open${again}`;
}

function text(value: unknown): string {
  if (value === undefined || value === null) return '–';
  return typeof value === 'string' ? value : printableJson(JSON.stringify(value));
}

function moment(value: unknown): string {
  return typeof value === 'number' ? `${new Date(value).toISOString().slice(0, 19)}Z` : text(value);
}

function amount(value: unknown, one: string, many?: string): string {
  return counted(Number(value), one, many);
}

function money(value: unknown): string {
  return typeof value === 'number' && Number.isSafeInteger(value) ? formatDollars(micros(value)) : '–';
}

function goods(f: Fields): string {
  return `${text(f.name)} ${money(f.cost)}`;
}

function offer(f: Fields): string {
  const share = shareText(f.cost, f.steam);
  return `${goods(f)}${share === undefined ? '' : ` (${share})`} on ${text(f.market)} ${text(f.listing)}`;
}

function shareText(cost: unknown, steam: unknown): string | undefined {
  if (typeof cost !== 'number' || typeof steam !== 'number' || steam <= 0) return undefined;
  const percent = (100 * cost) / steam;
  return `${percent.toFixed(0)} % of Steam's ${money(steam)}`;
}
