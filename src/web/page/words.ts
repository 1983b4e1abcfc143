import type { Cap } from './answers.ts';

/** `$1,234.50`: two decimals, more where they are there. */
export function dollars(amount: number | null | undefined): string {
  if (amount === null || amount === undefined) return '–';
  const text = amount.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 6 });
  return text.startsWith('-') ? `−$${text.slice(1)}` : `$${text}`;
}

export function count(value: number): string {
  return value.toLocaleString('en-US');
}

export function counted(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}

const steps = [
  { ms: 86_400_000, unit: 'd' },
  { ms: 3_600_000, unit: 'h' },
  { ms: 60_000, unit: 'min' },
] as const;

/** `40 s`, `3 min`, `2 h`, `3 d`: the largest unit that counts. */
function span(ms: number): string {
  for (const { ms: size, unit } of steps) if (ms >= size) return `${Math.floor(ms / size)} ${unit}`;
  return `${Math.max(0, Math.floor(ms / 1_000))} s`;
}

export function ago(iso: string | null | undefined, now: number): string {
  if (iso === null || iso === undefined) return 'never';
  const ms = now - Date.parse(iso);
  return ms < -1_500 ? `in ${span(-ms)}` : `${span(ms)} ago`;
}

/** `28 Nov, 10:00:05 UTC`, with the year where it is another. */
export function moment(iso: string | null | undefined, now: number): string {
  if (iso === null || iso === undefined) return '–';
  const year = iso.slice(0, 4) === new Date(now).toISOString().slice(0, 4) ? '' : ` ${iso.slice(0, 4)}`;
  return `${Number(iso.slice(8, 10))} ${months[Number(iso.slice(5, 7)) - 1] ?? ''}${year}, ${iso.slice(11, 19)} UTC`;
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `28 Nov` of a date. */
export function dayName(day: string): string {
  return `${Number(day.slice(8, 10))} ${months[Number(day.slice(5, 7)) - 1] ?? ''}`;
}

/** Milliseconds for a person: `0.4 ms`, `12 ms`, `1.3 s`. */
export function duration(ms: number): string {
  if (ms < 10) return `${ms.toFixed(1)} ms`;
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`;
}

type Tone = 'good' | 'warn' | 'bad' | 'plain';

/** What a person calls the states of a purchase. */
const states: Readonly<Record<string, { readonly name: string; readonly tone: Tone; readonly text: string }>> = {
  intended: { name: 'being bought', tone: 'plain', text: 'The request is on its way.' },
  unknown: {
    name: 'not certain',
    tone: 'warn',
    text: 'Sent; nobody can say yet whether it was bought. Its money stays reserved.',
  },
  bought: { name: 'bought', tone: 'good', text: 'The service accepted it; the item is on its way.' },
  completed: { name: 'delivered', tone: 'good', text: 'The order is completed.' },
  refunded: { name: 'money back', tone: 'plain', text: 'It was paid and the money came back: the order failed or was reversed.' },
  rejected: { name: 'not bought', tone: 'plain', text: 'The service refused it, or it was proved that it was never bought.' },
  expired: { name: 'not sent', tone: 'plain', text: 'Written down, but the request never left.' },
  simulated: { name: 'on paper', tone: 'plain', text: 'Dry-run: this would have been bought.' },
};

export function stateOf(state: string): { readonly name: string; readonly tone: Tone; readonly text: string } {
  return states[state] ?? { name: state, tone: 'plain', text: state };
}

export const stateNames: readonly (readonly [string, string])[] = Object.entries(states).map(([key, { name }]) => [key, name]);

const windows: Readonly<Record<string, string>> = { hour: 'last hour', day: 'last 24 h', total: 'in all' };

/** What a limit bounds, in words. */
export function capName({ of, name, key }: Cap): string {
  const last = key.split('.').at(-1) ?? '';
  const own: Readonly<Record<string, string>> = {
    'limits.openPurchases': 'Orders on their way',
    'limits.unknown': 'Purchases that are not certain',
    'limits.breaker.perHour': 'Purchases in the last hour',
  };
  const what = own[key] ?? `${key.includes('.spend.') ? 'Spent' : 'Purchases'}, ${windows[last] ?? last}`;
  return of === 'account' ? what : `${name ?? ''}: ${what.toLowerCase()}`;
}

/** A reason's code, for a person who has no table of codes at hand. */
export function reasonName(code: string | null): string {
  return code === null ? 'other' : (reasonNames[code] ?? code.replaceAll('-', ' '));
}

const reasonNames: Readonly<Record<string, string>> = {
  'max-price': 'above the highest price allowed',
  never: 'on the never-buy list',
  reserve: 'would touch the reserve',
  'spend-hour': 'spending limit of the hour',
  'spend-day': 'spending limit of the day',
  'spend-total': 'spending limit in all',
  'item-hour': 'enough of this item this hour',
  'item-day': 'enough of this item today',
  'item-total': 'enough of this item in all',
  'strategy-spend-hour': 'its strategy has spent its limit of the hour',
  'strategy-spend-day': 'its strategy has spent its limit of the day',
  'strategy-spend-total': 'its strategy has spent its limit in all',
  'strategy-count-hour': 'its strategy has bought its number for the hour',
  'strategy-count-day': 'its strategy has bought its number for the day',
  'strategy-count-total': 'its strategy has bought its number in all',
  'strategy-item-hour': 'its strategy has enough of it this hour',
  'strategy-item-day': 'its strategy has enough of it today',
  'strategy-item-total': 'its strategy has enough of it in all',
  'open-purchases': 'too many orders on their way',
  'unknown-pause': 'a purchase is not certain yet',
  'health-unknown': "market's health not known",
  'health-poor': 'market not healthy',
  'balance-unknown': 'balance not known',
  'snapshot-stale': 'listings too old',
  taken: 'bought before',
  'already-simulated': 'counted before',
  'refused-before': 'refused by the service before',
  'refusal-unconfirmed': 'refused a moment ago',
  'refusal-cause': 'refused for money, key or rate',
  expired: 'gone or changed before its turn',
  'reference-odd': 'price on Steam not believed',
  'reference-jumped': 'price on Steam has jumped',
  'moved-on': 'no longer what was asked for',
  'market-fall': 'the market is falling',
  slowed: 'the service asked to slow down',
};

const causes: Readonly<Record<string, string>> = {
  gone: 'somebody was faster',
  repriced: 'the price had changed',
  funds: 'not enough money',
  key: 'the key was refused',
  owner: 'the account needs a person',
  rate: 'too many requests',
};

export function causeName(cause: string): string {
  return causes[cause] ?? cause.replaceAll('-', ' ');
}

/** Words of the project's own documents without their marks of code. */
export function plain(text: string): string {
  return text.replaceAll('`', '');
}

/** The same as a sentence. */
export function sentence(text: string): string {
  const words = plain(text);
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}${/[.!?]$/.test(words) ? '' : '.'}`;
}
