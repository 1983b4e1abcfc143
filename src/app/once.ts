import { type Clock, sleep } from '../domain/clock.ts';
import type { Purchase } from '../domain/purchase.ts';
import { counted } from '../domain/text.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Core } from './core.ts';
import type { PollFacts } from './facts.ts';

/** How often it is looked whether all is ready, or all is done. */
const LOOK_MS = 50;

/** A service that is well answers everything that the start needs within this; then the poll goes out all the same. */
const READY_MS = 15_000;

/** What is in doubt gets this long to settle by evidence. */
const SETTLE_MS = 90_000;

/** Purchases on paper are checked again, or given up, within the longest latency and margin that can be set. */
const CHECK_MS = 130_000;

/** A wait that is longer than this is told of. */
const SILENT_MS = 3_000;

/** Refusals that a single poll shrugs off: somebody was faster. */
const harmless: ReadonlySet<string> = new Set(['gone', 'repriced']);

/** Why a run did not come to what it should, and what a person does about it. */
export interface Failing {
  readonly message: string;
  readonly next: string;
}

export interface Once {
  /** The one poll may go out. */
  readonly ready: Promise<void>;
  /**
   * Everything that can be settled is. What failed: the poll, a purchase that stays unknown, or the service refused one for
   * another reason than the market's course. Empty when nothing did.
   */
  readonly done: Promise<readonly Failing[]>;
}

export interface OnceOptions {
  readonly core: Pick<Core, 'facts' | 'state' | 'inFlight' | 'unchecked'>;
  readonly ledger: Pick<Ledger, 'purchases'>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Tells a person what is waited for. */
  readonly say: (message: string) => void;
}

/** One poll, its decisions and its buys, and what can be settled of them and of those before. */
export function onceOver({ core, ledger, clock, signal, say }: OnceOptions): Once {
  const startedAt = clock.now();
  const waitFor = async (condition: () => boolean, ms: number): Promise<boolean> => {
    const until = clock.mono() + ms;
    while (!signal.aborted && !condition()) {
      if (clock.mono() >= until) return false;
      await sleep(clock, LOOK_MS, signal);
    }
    return true;
  };
  /** As `waitFor`; once it has taken a while, says what it waits for. */
  const waitTelling = async (condition: () => boolean, ms: number, what: () => string): Promise<void> => {
    if (await waitFor(condition, SILENT_MS)) return;
    say(`Waiting up to ${ms / 1_000} s ${what()}`);
    await waitFor(condition, ms - SILENT_MS);
  };
  const ready = waitTelling(
    () => isReady(core),
    READY_MS,
    () => `for the service: ${missingOf(core)}`,
  );
  const done = (async (): Promise<readonly Failing[]> => {
    await ready;
    await waitFor(() => core.facts.polls > 0, READY_MS);
    await waitFor(() => core.state.waiting.length === 0 && core.inFlight === 0, Number.POSITIVE_INFINITY);
    await waitTelling(
      () => core.unchecked === 0,
      CHECK_MS,
      () => `until it is known what live would have got of ${counted(core.unchecked, 'purchase')} on paper`,
    );
    const made = (): readonly Purchase[] => ledger.purchases({ since: startedAt });
    const unknown = (): readonly Purchase[] => ledger.purchases({ state: 'unknown' });
    const open = (): readonly Purchase[] => [...unknown(), ...made().filter(({ held, state }) => held && state !== 'unknown')];
    await waitTelling(
      () => open().length === 0,
      SETTLE_MS,
      () => `for evidence about ${idsOf(open())}`,
    );
    return [...pollFailing(core.facts), ...unknownFailing(unknown()), ...made().flatMap(refusedFailing)];
  })();
  return { ready, done };
}

/** Asking again changes nothing about a key that the service does not take: its refusal of the poll says so. */
function isReady({ state, facts }: Pick<Core, 'state' | 'facts'>): boolean {
  if (facts.accountFault?.forbidden === true) return true;
  const health = state.rules.health.require === 'off' || state.health !== undefined;
  return state.blockers.size === 0 && state.balance !== undefined && health;
}

function missingOf({ state, facts }: Pick<Core, 'state' | 'facts'>): string {
  const [blocker] = state.blockers.values();
  return facts.accountFault?.message ?? blocker?.detail ?? 'the health of the markets is not known yet';
}

function pollFailing({ polls, failuresInRow, lastFault, lastCause, accountFault }: PollFacts): readonly Failing[] {
  if (polls > 0 && failuresInRow === 0) return [];
  const why = lastFault ?? accountFault?.message ?? 'no answer in time';
  const refused = lastCause === 'key' || (lastCause === undefined && accountFault?.forbidden === true);
  return [{ message: `The live listings could not be read: ${why}`, next: refused ? KEY : (steps[lastCause ?? ''] ?? ANY) }];
}

const KEY = 'the service does not take the key: check `account.apiKey` (MAGPIE_API_KEY), and whether it is of this service';
const ANY = 'check `service.baseUrl`, the key and the network';
const REACH = 'check that `service.baseUrl` is right, and that this machine reaches it';

const steps: Readonly<Record<string, string>> = {
  connection: REACH,
  timeout: REACH,
  redirect: 'check `service.baseUrl`: another address answers',
  rate: 'the service wants fewer requests: lower `rate.reads`, or find out what else uses this key, and try again later',
  ban: 'the service shuts its door on this key or this machine: ask it why, or try again later',
  service: 'the service is not well: try again later',
};

function unknownFailing(unknown: readonly Purchase[]): readonly Failing[] {
  const [first] = unknown;
  if (first === undefined) return [];
  const stay = `${counted(unknown.length, 'purchase stays', 'purchases stay')} unknown: ${idsOf(unknown)}`;
  return [
    {
      message: `${stay}. Whether money was spent cannot be told yet; it stays reserved`,
      next: `\`magpie reconcile\` looks again, \`magpie purchases ${first.id}\` says what is awaited`,
    },
  ];
}

/** What evidence has shown to be no purchase was not refused by anybody. */
function refusedFailing({ id, state, refusalCause, reason, marketHashName }: Purchase): readonly Failing[] {
  if (state !== 'rejected' || refusalCause === undefined || harmless.has(refusalCause)) return [];
  const message = `The service refused purchase ${id}, ${marketHashName}: ${reason ?? refusalCause}`;
  return [{ message, next: `\`magpie purchases ${id}\` shows all of it, \`magpie status\` what is in the way` }];
}

function idsOf(purchases: readonly Purchase[]): string {
  const ids = purchases.map(({ id }) => id).toSorted((a, b) => a - b);
  const shown = ids.slice(0, 5).join(', ');
  return `${ids.length === 1 ? 'purchase' : 'purchases'} ${shown}${ids.length > 5 ? ` and ${ids.length - 5} more` : ''}`;
}
