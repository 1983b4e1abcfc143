import { AccountKeeper } from '../../../src/app/accounts/account-keeper.ts';
import type { Rejections } from '../../../src/app/accounts/rejections.ts';
import { SharedMarket } from '../../../src/app/accounts/shared-market.ts';
import { SharedPrices } from '../../../src/app/accounts/shared-prices.ts';
import { TurnDesk } from '../../../src/app/accounts/turn-desk.ts';
import type { Sandbox } from '../../../src/sandbox/sandbox.ts';
import { settingsOf } from '../bot-plan.ts';
import type { Network } from '../network.ts';
import { patienceOf } from '../pace.ts';
import type { SimLog } from '../sim-log.ts';
import { ProcessClock, type SimTime } from '../sim-time.ts';
import type { Storage } from '../storage.ts';
import type { AccountsPlan } from './plan.ts';
import { readerOf } from './reader.ts';
import type { Shared, SimAccount } from './sim-account.ts';

/** An account that is down is tried again after this, at the usual pace. */
const AGAIN_MS = 60_000;

export interface PlatformParts {
  readonly plan: AccountsPlan;
  readonly time: SimTime;
  readonly sandbox: Sandbox;
  readonly accounts: readonly SimAccount[];
  /** Of the record of prices. */
  readonly storage: Storage;
  readonly network: Network;
  readonly log: SimLog;
  /** Which start of the process this is. */
  readonly boot: number;
  readonly rejections: Rejections;
  readonly uncaught: (error: unknown) => void;
}

/** One run of the process that serves all, composed as `startPlatform` composes it, over simulated ports. */
export class PlatformProcess {
  readonly #parts: PlatformParts;
  readonly #stopping = new AbortController();
  readonly #clock: ProcessClock;
  readonly #shared: Shared & { readonly market: SharedMarket; readonly prices: SharedPrices };
  readonly #keepers: readonly AccountKeeper[];
  #over: Promise<unknown> = Promise.resolve();
  #alive = true;
  #killed = false;

  constructor(parts: PlatformParts) {
    this.#parts = parts;
    this.#clock = new ProcessClock(parts.time, { ms: 0 }, () => this.#alive);
    const desk = new TurnDesk(parts.accounts.map(({ name }) => name));
    const market = this.#marketOf(desk);
    this.#shared = { desk, market, prices: this.#pricesOf(desk, market) };
    this.#keepers = parts.accounts.map((account) => this.#keeperOf(account));
  }

  get alive(): boolean {
    return this.#alive;
  }

  /** What it still says are its last words. */
  get killed(): boolean {
    return this.#killed;
  }

  /** Each account opens its ledger before anybody is told of a listing. */
  async begin(): Promise<void> {
    const { market, prices } = this.#shared;
    const { signal } = this.#stopping;
    prices.start(signal);
    for (const keeper of this.#keepers) {
      await keeper.begin();
      if (!this.#alive) return;
    }
    this.#over = Promise.all(this.#keepers.map((keeper) => keeper.run(signal)));
    market.start(signal);
  }

  /** As on SIGTERM: resolves when all have ended, unless it is killed before. */
  async stop(): Promise<void> {
    if (!this.#alive) return;
    this.#stopping.abort();
    await this.#over;
    if (!this.#alive) return;
    this.#alive = false;
    this.#parts.storage.close();
  }

  /** Nothing of it happens any more; what becomes of its files is not told here. */
  kill(): void {
    this.#killed = true;
    this.#alive = false;
  }

  #marketOf(desk: TurnDesk): SharedMarket {
    const { plan, network, accounts, sandbox, time, log, boot, uncaught } = this.#parts;
    const { feed } = settingsOf(firstOf(plan), '');
    const ignored = (): void => undefined;
    const clock = this.#clock;
    const alive = (): boolean => this.#alive;
    const doors = (): readonly SimAccount['door'][] => accounts.map(({ door }) => door);
    return new SharedMarket({
      service: readerOf({
        ...{ seed: plan.seed, bot: firstOf(plan), network, doors, sandbox, time, clock, log, boot, alive, uncaught },
      }),
      ...{ clock, intervalMs: feed.intervalMs, parse: feed.parse },
      ...{ healthIntervalMs: feed.health.intervalMs, health: feed.health.require !== 'off', tape: undefined },
      afterAll: (work) => desk.afterAll(work),
      onFirst: (keys) => desk.firstSeen(keys),
      onPoll: ignored,
    });
  }

  #pricesOf(desk: TurnDesk, market: SharedMarket): SharedPrices {
    const { plan, storage, log, boot } = this.#parts;
    const clock = this.#clock;
    const { days, fall } = settingsOf(firstOf(plan), '').reference;
    const ledger = storage.open(() => undefined, clock);
    const afterAll = (work: () => void): void => desk.afterAll(work);
    return new SharedPrices({ clock, ledger, log: log.of(boot, () => this.#alive), market, days, fall, afterAll });
  }

  #keeperOf(account: SimAccount): AccountKeeper {
    const { plan, log, boot, rejections } = this.#parts;
    return new AccountKeeper({
      ...{ account: account.name, clock: this.#clock, desk: this.#shared.desk, once: false },
      againMs: AGAIN_MS * patienceOf(plan),
      log: log.of(boot, () => this.#alive),
      start: () =>
        rejections.of(
          (error) => account.defect(error),
          () => account.start(this.#shared),
        ),
    });
  }
}

/** What all share is said by each of them. */
function firstOf({ accounts: [first] }: AccountsPlan): AccountsPlan['accounts'][number]['plan']['bot'] {
  if (first === undefined) throw new RangeError('a life of no account');
  return first.plan.bot;
}
