import type { Alert } from '../domain/alert.ts';
import type { Clock, EpochMs } from '../domain/clock.ts';
import { formatDollars } from '../domain/money.ts';
import type { Purchase } from '../domain/purchase.ts';
import type { EngineState } from '../engine/state.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { progressOf } from './awaited.ts';
import type { Bell } from './bell.ts';
import type { Posted } from './engine-loop.ts';
import type { JournalGuard } from './journal-guard.ts';

/** A purchase that evidence has not settled within this will hardly settle soon; a person may know more. */
const UNKNOWN_MS = 10 * 60_000;

/** The wall clock may move this far against the steady one before a person is told. */
const CLOCK_STEP_MS = 60_000;

/** A step ahead by more than this may have been a sleep: what was read before it says nothing. */
const SLEPT_MS = 2_000;

/** Health that was not read for this long, or for this many times what makes it stale, is told of. */
const HEALTH_MS = 60_000;
const HEALTH_STALES = 4;

/** After a slow-down is over for this long, the next one is news again. */
const SLOW_OVER_MS = 10 * 60_000;

export interface LookoutOptions {
  readonly clock: Clock;
  readonly bell: Pick<Bell, 'ring' | 'once' | 'again'>;
  readonly state: () => Readonly<EngineState>;
  readonly ledger: Pick<Ledger, 'proofs' | 'alertsOf'>;
  readonly journal: Pick<JournalGuard, 'attempt'>;
  readonly post: (event: Posted) => void;
}

interface Slept {
  /** When it was noticed. */
  readonly at: EpochMs;
  /** Answers about health that were received since, and when the newest was. */
  healthReadings: number;
  healthAt: EpochMs;
}

/** Notices what goes on too long or happens beside the rules: purchases in doubt, health unread, a clock that jumps. */
export class Lookout {
  readonly #options: LookoutOptions;
  readonly #unknown = new Map<number, Purchase>();
  #skewMs: number;
  /** As at the last glance. */
  #seenSkewMs: number;
  #slept: Slept | undefined;
  #healthAt: EpochMs;

  constructor(options: LookoutOptions) {
    const { clock } = options;
    this.#options = options;
    this.#skewMs = clock.wall() - clock.now();
    this.#seenSkewMs = this.#skewMs;
    this.#healthAt = clock.now();
  }

  /** A row as it is: at the start, and whenever it has changed. */
  know(purchase: Purchase): void {
    if (purchase.state === 'unknown') this.#unknown.set(purchase.id, purchase);
    else this.#unknown.delete(purchase.id);
  }

  /** What had been refused or disproved is bought after all. Where a look has shown it, the ledger holds its alert already. */
  lateBought(purchase: Purchase): void {
    const { id, marketHashName, cost, reason } = purchase;
    const message = `Purchase ${id} (${marketHashName}, ${formatDollars(cost)}): ${reason ?? 'bought after all'}`;
    this.#onceFor(purchase, 'late-bought', message, 'its money counts again; nothing needs to be done');
  }

  /** To be called again and again. */
  tick(): void {
    const now = this.#options.clock.now();
    this.#clock(now);
    if (this.slept()) this.#awake();
    this.#health(now);
    this.#slowDown(now);
    for (const purchase of this.#unknown.values()) this.#doubt(purchase, now);
  }

  /**
   * Whether the machine seems to have slept since balance and health were read. By the steady clock they are as young as before, so
   * buying stays closed until they have been read anew. Cheap enough to be asked before each purchase.
   */
  slept(): boolean {
    const { clock, post } = this.#options;
    const now = clock.now();
    const skewMs = clock.wall() - now;
    const aheadMs = skewMs - this.#seenSkewMs;
    this.#seenSkewMs = skewMs;
    if (aheadMs > SLEPT_MS) {
      this.#slept = { at: now, healthReadings: 0, healthAt: now };
      post({ type: 'blocked', name: 'slept', refusal: { reason: 'slept', detail: 'balance and health are being read anew' } });
    }
    return this.#slept !== undefined;
  }

  /** An answer about health that comes first may have been on its way while the machine slept; the next one was asked for after it. */
  #awake(): void {
    const { state, post } = this.#options;
    const { balance, health, rules } = state();
    if (this.#slept === undefined) return;
    const slept = this.#slept;
    if (health !== undefined && 'receivedAt' in health && health.receivedAt > slept.healthAt) {
      slept.healthAt = health.receivedAt;
      slept.healthReadings++;
    }
    const needless =
      rules.health.require === 'off' || (health !== undefined && 'reason' in health && health.reason === 'forbidden');
    if (balance === undefined || balance.beganAt <= slept.at || (!needless && slept.healthReadings < 2)) return;
    this.#slept = undefined;
    post({ type: 'unblocked', name: 'slept' });
  }

  #doubt(purchase: Purchase, now: EpochMs): void {
    const ageMs = now - (purchase.answeredAt ?? purchase.createdAt);
    if (ageMs < UNKNOWN_MS) return;
    const { id, marketHashName, cost } = purchase;
    const { journal, ledger } = this.#options;
    const found = journal.attempt(() => ({ proof: ledger.proofs([id]).get(id) }));
    // While the ledger cannot be read, nobody knows what was told already.
    if (found === undefined) return;
    // Told once, it is looked at no more.
    this.#unknown.delete(id);
    const progress = progressOf(found.proof, now).join(', ');
    const message = `Nobody can say after ${minutes(ageMs)} whether purchase ${id} (${marketHashName}, ${formatDollars(cost)}) was bought: ${progress}`;
    this.#onceFor(
      purchase,
      'unknown',
      message,
      `look at the service for it, then run \`magpie resolve ${id} --as bought|not-bought --reason TEXT\``,
    );
  }

  #onceFor({ id: purchaseId }: Purchase, kind: Alert['kind'], message: string, next: string): void {
    const { bell, ledger, journal, clock } = this.#options;
    const alerts = journal.attempt(() => ledger.alertsOf(purchaseId)) ?? [];
    if (alerts.some((alert) => alert.kind === kind)) return;
    bell.ring({ kind, at: clock.now(), message, next, purchaseId });
  }

  /** Within a run everything goes by the steady clock; the next start will hold the machine's clock against the newest row. */
  #clock(now: EpochMs): void {
    const { bell, clock } = this.#options;
    const skewMs = clock.wall() - now;
    const stepMs = skewMs - this.#skewMs;
    if (Math.abs(stepMs) <= CLOCK_STEP_MS) return;
    this.#skewMs = skewMs;
    const way = stepMs > 0 ? 'ahead, or it slept' : 'back';
    bell.ring({
      kind: 'clock',
      at: now,
      message: `The clock of this machine jumped ${minutes(Math.abs(stepMs))} ${way}: this run goes on by its own steady time`,
      next: 'see that the clock is right and kept by NTP before the next start, which is held against it',
      purchaseId: undefined,
    });
  }

  /** A key that may not read it is told of by whoever heard so. */
  #health(now: EpochMs): void {
    const { bell, state } = this.#options;
    const { health, rules } = state();
    if (rules.health.require === 'off' || (health !== undefined && 'reason' in health && health.reason === 'forbidden')) return;
    if (health !== undefined && 'receivedAt' in health) this.#healthAt = Math.max(this.#healthAt, health.receivedAt);
    const unreadMs = now - this.#healthAt;
    if (unreadMs <= Math.max(HEALTH_MS, HEALTH_STALES * rules.health.staleAfterMs)) return bell.again('health-unread');
    const why = health !== undefined && 'reason' in health ? ` (${health.message})` : '';
    bell.once('health-unread', {
      kind: 'health',
      at: now,
      message: `The health of the markets could not be read for ${minutes(unreadMs)}${why}: nothing is bought meanwhile`,
      next: 'see whether the service is up; Magpie goes on asking',
      purchaseId: undefined,
    });
  }

  #slowDown(now: EpochMs): void {
    const { slowedUntil } = this.#options.state();
    if (slowedUntil !== undefined && now - slowedUntil > SLOW_OVER_MS) this.#options.bell.again('slowed-down');
  }
}

function minutes(ms: number): string {
  return `${Math.floor(ms / 60_000)} min`;
}
