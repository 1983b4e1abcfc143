import { alertJson } from '../domain/alert.ts';
import type { Clock, EpochMs } from '../domain/clock.ts';
import { windowMs } from '../domain/limits.ts';
import { dollarsFromMicros } from '../domain/money.ts';
import { purchaseJson } from '../domain/purchase.ts';
import type { LocalSettings } from '../settings/what-counts.ts';
import { asking, holderOf } from './folder.ts';
import { settingsInForce } from './in-force.ts';
import { looksInTurn } from './looks-in-turn.ts';
import { type AccountState, spendOf, stateOf, whyUnread } from './status-accounts.ts';
import { gistOf } from './status-facts.ts';

/** How one of several accounts does, as plain JSON. */
interface AccountLine {
  readonly name: string;
  /** `unread`: its ledger cannot be read; `unseen`: it has not been looked at yet. */
  readonly state: AccountState['state'] | 'unread' | 'unseen';
  readonly why: string | null;
  readonly mode: LocalSettings['mode'];
  readonly balance: number | null;
  /** Dollars of the last 24 hours, capped or not. */
  readonly spentDay: number;
  readonly spend: readonly { readonly window: string; readonly used: number; readonly cap: number }[];
  readonly unknown: number;
  /** Of the last seven days, a hundred at most. */
  readonly alerts: number;
  readonly lastPollAt: string | null;
}

/** What is told of an account at a time. */
type Row = readonly [EpochMs, Record<string, unknown>];

/** A line and what it adds to what is told of all of them. */
interface Look {
  readonly at: number;
  readonly line: AccountLine;
  readonly alerts: readonly Row[];
  readonly purchases: readonly Row[];
  readonly signOfLifeAt: string | null;
  readonly version: string | undefined;
  readonly listings: number;
}

export interface AccountLinesOptions {
  readonly clock: Clock;
  readonly names: readonly string[];
  readonly settings: () => ReadonlyMap<string, LocalSettings>;
}

/** No longer than this is spent on looks at once. */
const SLICE_MS = 200;
/** Lines are told of no oftener than this for each of them: a thousand each five seconds, a few each second. */
const TOLD_MS_EACH = 5;

/** Alerts of an account that are counted. */
const ALERTS_COUNTED = 100;
/** Alerts and purchases of all that are shown beside the lines: lists of them are a question of their own. */
const SHOWN = 5;
const ALERTS_FOR_MS = 7 * windowMs.day;

/** A line an account, of many of them: each look costs a ledger that is opened, so they are spread over answers. */
export class AccountLines {
  readonly #options: AccountLinesOptions;
  readonly #looks = new Map<string, Look>();
  #toldAt = -Infinity;

  constructor(options: AccountLinesOptions) {
    this.#options = options;
  }

  /** Everything is looked at anew. */
  forget(): void {
    for (const [name, look] of this.#looks) this.#looks.set(name, { ...look, at: -Infinity });
    this.#toldAt = -Infinity;
  }

  /** Whether it is time to tell of them again. Asked each second or so, it looks at some of them each time. */
  due(): boolean {
    this.#refresh();
    return this.#options.clock.mono() - this.#toldAt >= this.#options.names.length * TOLD_MS_EACH;
  }

  json(): Record<string, unknown> {
    const { clock, names, settings } = this.#options;
    this.#refresh();
    this.#toldAt = clock.mono();
    const own = settings().values().next().value;
    const looks = [...this.#looks].map(([name, look]) => ({ name, ...look }));
    return {
      now: new Date(clock.now()).toISOString(),
      playMoney: own?.service.kind === 'sandbox',
      config: own?.file ?? null,
      version: looks.find(({ version }) => version !== undefined)?.version ?? null,
      signOfLifeAt: looks.reduce<string | null>((last, { signOfLifeAt }) => later(last, signOfLifeAt), null),
      lastPollAt: looks.reduce<string | null>((last, { line }) => later(last, line.lastPollAt), null),
      listings: Math.max(0, ...looks.map(({ listings }) => listings)),
      accounts: names.map((name) => this.#looks.get(name)?.line ?? unseen(name, settings().get(name))),
      alerts: newestOfAll(looks, 'alerts'),
      purchases: newestOfAll(looks, 'purchases'),
    };
  }

  #refresh(): void {
    const { clock, names, settings } = this.#options;
    const all = settings();
    looksInTurn({ clock, names, lookedAt: (name) => this.#looks.get(name)?.at, sliceMs: SLICE_MS }, (name) => {
      const own = all.get(name);
      if (own !== undefined) this.#looks.set(name, lookAt(name, own, clock));
    });
  }
}

function lookAt(name: string, own: LocalSettings, clock: Clock): Look {
  try {
    return asking(own.data, (reader) => {
      const holder = holderOf(own.data, reader);
      const { heartbeat } = holder;
      const now = clock.now();
      const gist = gistOf(settingsInForce(own, holder), reader, holder, now);
      const { state, why } = stateOf(gist);
      const alerts = reader?.alerts(now - ALERTS_FOR_MS, ALERTS_COUNTED) ?? [];
      const line = {
        ...{ name, state, why: why ?? null, mode: gist.mode },
        balance: gist.balance === undefined ? null : dollarsFromMicros(gist.balance.amount),
        spentDay: dollarsFromMicros(gist.usage.spend.day),
        spend: spendOf(gist).map(({ window, used, cap }) => ({
          ...{ window, used: dollarsFromMicros(used), cap: dollarsFromMicros(cap) },
        })),
        ...{ unknown: gist.counts.unknown, alerts: alerts.length, lastPollAt: iso(heartbeat?.lastPollAt) },
      };
      const { at, version, listings = 0 } = heartbeat ?? {};
      const purchases = reader?.purchasePage({ limit: SHOWN }) ?? [];
      return {
        ...{ at: clock.mono(), line, signOfLifeAt: iso(at), version, listings: holder.running ? listings : 0 },
        alerts: alerts.slice(0, SHOWN).map((alert): Row => [alert.at, alertJson(alert)]),
        purchases: purchases.map((purchase): Row => [purchase.createdAt, purchaseJson(purchase)]),
      };
    });
  } catch (error) {
    const line = { ...unseen(name, own), state: 'unread' as const, why: whyUnread(error) };
    return { at: clock.mono(), line, alerts: [], purchases: [], ...{ signOfLifeAt: null, version: undefined, listings: 0 } };
  }
}

function unseen(name: string, own: LocalSettings | undefined): AccountLine {
  return {
    ...{ name, state: 'unseen', why: null, mode: own?.mode ?? 'dry-run', balance: null, spentDay: 0, spend: [] },
    ...{ unknown: 0, alerts: 0, lastPollAt: null },
  };
}

/** The newest of what several have, each with its account. */
function newestOfAll(looks: readonly (Look & { readonly name: string })[], of: 'alerts' | 'purchases'): readonly unknown[] {
  return looks
    .flatMap(({ name, [of]: own }) => own.map(([at, json]) => ({ at, told: { account: name, ...json } })))
    .toSorted((one, other) => other.at - one.at)
    .slice(0, SHOWN)
    .map(({ told }) => told);
}

function later(one: string | null, other: string | null): string | null {
  return one === null || (other !== null && other > one) ? other : one;
}

function iso(at: EpochMs | undefined): string | null {
  return at === undefined ? null : new Date(at).toISOString();
}
