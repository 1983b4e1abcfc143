import type { Alert } from '../domain/alert.ts';
import type { EpochMs } from '../domain/clock.ts';
import { windowMs } from '../domain/limits.ts';
import { type Micros, ZERO } from '../domain/money.ts';
import { type Lane, type Purchase, type PurchaseState, purchaseStates } from '../domain/purchase.ts';
import { type BalanceReading, buyableMarkets } from '../domain/readings.ts';
import { type ShadowFigures, noShadows } from '../domain/shadow.ts';
import type { Proof } from '../engine/evidence.ts';
import type { Halt } from '../engine/journal.ts';
import type { Reader } from '../ledger/ledger.ts';
import { BALANCE_MAX_AGE_MS, available } from '../risk/balance.ts';
import type { Refusal } from '../risk/caps.ts';
import { marketRefusal } from '../risk/health.ts';
import { type Openness, openness } from '../risk/openness.ts';
import type { Usage } from '../risk/usage.ts';
import type { Settings } from '../settings/settings.ts';
import type { LocalSettings } from '../settings/what-counts.ts';
import { type CapUse, accountCaps, accountUsage, itemCaps, strategyCaps } from './cap-use.ts';
import { type Holder, modeOf } from './folder.ts';
import type { Drift, Standing } from './in-force.ts';
import type { RuleChangeRow } from '../ledger/rule-changes.ts';
import { type Speed, speedOf } from './speed.ts';

/** Everything that `status` says, of one moment. */
export interface StatusFacts {
  readonly now: EpochMs;
  /** Those in force. */
  readonly settings: LocalSettings;
  /** The rules that came into force last: with a start, or while it ran. Undefined before the first start. */
  readonly rules: RuleChangeRow | undefined;
  /** How the files differ from what the running daemon goes by. */
  readonly drift: Drift | undefined;
  readonly holder: Holder;
  /** Of the daemon that runs; of the configuration where none does. */
  readonly mode: Settings['mode'];
  /** There is a ledger. */
  readonly begun: boolean;
  readonly account: string | undefined;
  /** The first cause first. */
  readonly halts: readonly Halt[];
  readonly slowUntil: EpochMs | undefined;
  readonly balance: BalanceReading | undefined;
  /** The balance less everything that is held; the reserve is still in it. */
  readonly free: Micros | undefined;
  /** Of the account, in the lane of the mode. */
  readonly usage: Usage;
  /** The account's caps, then the strategies' own, then items that were bought lately. */
  readonly caps: readonly CapUse[];
  /** The strategies could not be read, so their caps are missing. */
  readonly strategiesFaulty: boolean;
  readonly reserved: Micros;
  readonly counts: Readonly<Record<PurchaseState, number>>;
  /** What live would have come to, of all purchases on paper. */
  readonly shadows: ShadowFigures;
  /** How long purchases took lately; undefined where none was sent. */
  readonly speed: Speed | undefined;
  /** Newest first, a few of them. */
  readonly unknown: readonly Purchase[];
  /** How far the proofs that those were never bought have come. */
  readonly proofs: ReadonlyMap<number, Proof>;
  /** Newest first, a few of them. */
  readonly alerts: readonly Alert[];
  /** Whether anything may be bought, as far as it can be seen from outside the daemon; undefined while none runs. */
  readonly openness: Openness | undefined;
  /** Whether each market may be bought from, by the daemon's last word on health; undefined while none runs. */
  readonly markets: readonly MarketState[] | undefined;
}

export interface MarketState {
  readonly market: string;
  /** As heard; undefined when the answer says nothing of it. */
  readonly status: string | undefined;
  /** Why nothing is bought there; undefined when it may be. */
  readonly refusal: Refusal | undefined;
}

/** What tells in a line how an account does, without a look at its strategies. */
export type Gist = Pick<
  StatusFacts,
  'now' | 'settings' | 'holder' | 'mode' | 'halts' | 'slowUntil' | 'balance' | 'free' | 'usage' | 'counts' | 'openness'
>;

const UNKNOWN_SHOWN = 10;
const ALERTS_SHOWN = 5;
const ALERTS_FOR_MS = 7 * windowMs.day;

/** `settings` are those in force. */
export function gistOf(settings: LocalSettings, reader: Reader | undefined, holder: Holder, now: EpochMs): Gist {
  const mode = modeOf(settings, holder);
  const [balance, spendable] = [reader?.balance(), reader?.spendable()];
  const usage = accountUsage(reader, laneOf(mode), now);
  const halts = reader?.standingHalts() ?? [];
  const free = spendable && available(spendable, reader?.holds() ?? []);
  const slowUntil = reader?.slowUntil();
  return {
    ...{ now, settings, holder, mode, halts, slowUntil, balance, free, usage },
    counts: reader?.countsByState() ?? noCounts(),
    openness: holder.running
      ? openness({
          now,
          halted: halts[0]?.reason,
          blockers: holder.heartbeat?.blockers ?? [],
          slowedUntil: slowUntil,
          health: holder.heartbeat?.health,
          healthPolicy: settings.feed.health,
          limits: settings.limits,
          usage,
          available: unlessOld(spendable, mode === 'live' ? free : spendable?.amount, now),
        })
      : undefined,
  };
}

export function statusFacts(
  { settings, strategies, drift }: Standing,
  reader: Reader | undefined,
  holder: Holder,
  now: EpochMs,
): StatusFacts {
  const gist = gistOf(settings, reader, holder, now);
  const { mode, usage } = gist;
  const lane = laneOf(mode);
  const unknown = reader?.purchases({ state: 'unknown', limit: UNKNOWN_SHOWN }) ?? [];
  return {
    ...gist,
    ...{ drift, begun: reader !== undefined, account: reader?.account(), rules: reader?.ruleChanges(1)[0] },
    caps: [
      ...accountCaps(settings, usage),
      ...strategyCaps(strategies ?? [], reader, mode, now),
      ...itemCaps(settings, reader, lane, now),
    ],
    strategiesFaulty: strategies === undefined,
    reserved: reader?.reserved() ?? ZERO,
    shadows: reader?.shadowFigures(0) ?? noShadows,
    speed: speedOf(reader, now),
    unknown,
    proofs: reader?.proofs(unknown.map(({ id }) => id)) ?? new Map<number, Proof>(),
    alerts: reader?.alerts(now - ALERTS_FOR_MS, ALERTS_SHOWN) ?? [],
    markets: holder.running ? marketStates(settings, holder, now) : undefined,
  };
}

function laneOf(mode: Settings['mode']): Lane {
  return mode === 'live' ? 'live' : 'paper';
}

/** Too old a reading says nothing. */
function unlessOld(reading: BalanceReading | undefined, amount: Micros | undefined, now: EpochMs): Micros | undefined {
  return reading === undefined || now - reading.beganAt > BALANCE_MAX_AGE_MS ? undefined : amount;
}

function noCounts(): Record<PurchaseState, number> {
  return Object.fromEntries(Object.keys(purchaseStates).map((state) => [state, 0])) as Record<PurchaseState, number>;
}

function marketStates({ feed }: LocalSettings, { heartbeat }: Holder, now: EpochMs): MarketState[] {
  const health = heartbeat?.health;
  const heard = health !== undefined && 'markets' in health ? health.markets : {};
  return buyableMarkets.map((market) => ({
    market,
    status: heard[market]?.status,
    refusal: marketRefusal(market, health, feed.health, now),
  }));
}
