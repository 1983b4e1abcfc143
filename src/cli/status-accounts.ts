import { type Window, windows } from '../domain/limits.ts';
import { type Micros, formatDollars } from '../domain/money.ts';
import { printable } from '../domain/text.ts';
import { JournalFailure } from '../engine/journal.ts';
import { closedWords } from '../risk/openness.ts';
import type { LocalSettings } from '../settings/what-counts.ts';
import { CommandFailure } from './exit.ts';
import type { Io } from './io.ts';
import type { Gist, StatusFacts } from './status-facts.ts';
import { statusJson } from './status-json.ts';
import { showAlerts } from './status-text.ts';

/** What there is to say of one of several accounts; why it cannot be told where its ledger cannot be read. */
export type ToldOf<T> = { readonly name: string } & ({ readonly facts: T } | { readonly unread: string });

type Told = ToldOf<StatusFacts>;

/** Looks at each account by itself: one whose ledger cannot be read hides no other. */
export function accountsLooked<T>(each: readonly LocalSettings[], factsOf: (settings: LocalSettings) => T): readonly ToldOf<T>[] {
  return each.map((settings) => accountLooked(settings, factsOf));
}

export function accountLooked<T>(settings: LocalSettings, factsOf: (settings: LocalSettings) => T): ToldOf<T> {
  const name = settings.account ?? '';
  try {
    return { name, facts: factsOf(settings) };
  } catch (error) {
    return { name, unread: whyUnread(error) };
  }
}

/**
 * Why an account cannot be told of. What its ledger holds may be damaged where SQLite does not see it: a time that there is not, half a sign
 * of life. What else is thrown is no ledger's, and is thrown on.
 */
export function whyUnread(error: unknown): string {
  if (error instanceof CommandFailure || error instanceof JournalFailure) return error.message;
  if (error instanceof RangeError || error instanceof SyntaxError)
    return `its ledger holds what cannot be told: ${error.message}`;
  throw error;
}

/** Alerts of all accounts that stand below their lines. */
const ALERTS_SHOWN = 5;

/** A line an account: whether it runs and buys, balance, spend, what is unknown; and the newest alerts of all. */
export function showAccounts({ out, clock }: Io, told: readonly Told[]): void {
  const { palette } = out;
  const width = Math.max(...told.map(({ name }) => name.length));
  for (const each of told) {
    const name = palette.strong(each.name.padEnd(width));
    if ('unread' in each) out.line(`${name}  ${palette.bad(printable(each.unread, 300))}`);
    else {
      const { state, why } = stateOf(each.facts);
      const words = `${stateWords[state]}${why === undefined ? '' : `: ${why}`}`;
      const good = state === 'buying' || state === 'paper';
      out.line(`${name}  ${(good ? palette.good : palette.warn)(printable(words, 200))} · ${moneyOf(each.facts)}`);
    }
  }
  const alerts = told.flatMap(({ name: account, ...each }) =>
    'facts' in each ? each.facts.alerts.map((alert) => ({ account, ...alert })) : [],
  );
  const newest = alerts.toSorted((one, other) => other.at - one.at).slice(0, ALERTS_SHOWN);
  showAlerts(out, newest, clock.now());
  out.line('→ `magpie status --account NAME` shows one of them whole');
}

export interface AccountState {
  readonly state: 'buying' | 'paper' | 'closed' | 'halted' | 'down';
  /** What keeps it from buying; undefined where nothing does, or it does not run. */
  readonly why: string | undefined;
}

/** Whether an account buys, in a word, and why not. */
export function stateOf({ halts, holder, mode, openness }: Pick<Gist, 'halts' | 'holder' | 'mode' | 'openness'>): AccountState {
  const halt = halts[0];
  if (halt !== undefined) return { state: 'halted', why: halt.reason };
  if (!holder.running || openness === undefined) return { state: 'down', why: undefined };
  const closed = closedWords(openness);
  if (closed !== undefined && closed.only.length === 0) return { state: 'closed', why: closed.why };
  return { state: mode === 'live' ? 'buying' : 'paper', why: undefined };
}

const stateWords: Readonly<Record<AccountState['state'], string>> = {
  buying: 'buying',
  paper: 'on paper',
  closed: 'not buying',
  halted: 'halted',
  down: 'not running',
};

/** What an account has spent in each window that has a cap. */
export function spendOf({ usage, settings }: Pick<Gist, 'usage' | 'settings'>): readonly SpendUse[] {
  return windows.flatMap((window) => {
    const cap = settings.limits.spend[window];
    return cap === undefined ? [] : [{ window, used: usage.spend[window], cap }];
  });
}

export interface SpendUse {
  readonly window: Window;
  readonly used: Micros;
  readonly cap: Micros;
}

function moneyOf(facts: StatusFacts): string {
  const { balance, counts } = facts;
  const spent = spendOf(facts).map(({ window, used, cap }) => `${window} ${formatDollars(used)} of ${formatDollars(cap)}`);
  return [
    balance === undefined ? 'no balance yet' : `balance ${formatDollars(balance.amount)}`,
    ...(spent.length === 0 ? [] : [`spent: ${spent.join(', ')}`]),
    ...(counts.unknown === 0 ? [] : [`unknown ${counts.unknown}`]),
  ].join(' · ');
}

/** By the name of each account, what `status --account NAME --json` prints; `error` in its place where that cannot be told. */
export function accountsJson(told: readonly Told[]): Record<string, unknown> {
  return {
    accounts: Object.fromEntries(
      told.map((each) => [each.name, 'unread' in each ? { error: each.unread } : statusJson(each.facts)]),
    ),
  };
}
