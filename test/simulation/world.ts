import type { EpochMs } from '../../src/domain/clock.ts';
import { seededRandom } from '../../src/domain/random.ts';
import { exchangeFaultNames } from '../../src/domain/exchange-fault.ts';
import type { BuyOrder } from '../../src/engine/ports.ts';
import { JournalFailure } from '../../src/engine/journal.ts';
import { type Sandbox, createSandbox } from '../../src/sandbox/sandbox.ts';
import type { BooksView } from '../../src/sandbox/audit.ts';
import { ofLeaving, ofPost } from './at-the-door.ts';
import { settingsOf, strategiesOf } from './bot-plan.ts';
import { Door } from './door.ts';
import type { RulesPlan } from './bot-plan.ts';
import { Killed, type Mortal, atPoint, mayDieInFlight } from './killed.ts';
import { RuleLog } from './rule-log.ts';
import type { Lived, Restored } from './lived.ts';
import { Mortality } from './mortality.ts';
import { Network } from './network.ts';
import { patienceOf } from './pace.ts';
import type { Plan } from './plan.ts';
import { SimLog } from './sim-log.ts';
import { SimProcess } from './process.ts';
import { ProcessClock, SimTime, type WallOffset } from './sim-time.ts';
import { Storage } from './storage.ts';
import { type Violation, violation } from './violation.ts';

/** Every life begins then. */
export const BEGIN: EpochMs = Date.UTC(2026, 10, 2, 9);

const FIRST_MINUTE_MS = 60_000;

/** A process that cannot start is started again by its supervisor after this. */
const RESTART_MS = 10_000;

/** One life: the exchange, the way to it, the machine with its disk and clock, and the process that dies and is started again. */
export class World implements Lived {
  readonly plan: Plan;
  readonly time: SimTime;
  readonly sandbox: Sandbox;
  readonly network: Network;
  readonly door = new Door();
  readonly storage = new Storage();
  readonly log: SimLog;
  readonly offset: WallOffset = { ms: 0 };
  readonly violations: Violation[] = [];
  readonly mortality: Mortality;
  readonly rules: RuleLog;
  readonly restored: Restored[] = [];
  #boots = 0;
  #process: SimProcess | undefined;
  #generation: { alive: boolean; skewed: boolean } = { alive: false, skewed: false };

  constructor(plan: Plan) {
    this.plan = plan;
    this.rules = new RuleLog(plan.bot);
    this.time = new SimTime(BEGIN, (error) => this.#uncaught(error));
    this.log = new SimLog(() => this.time.now);
    const { listings, speed, balance, feeRate, times } = plan.market;
    this.sandbox = createSandbox({
      seed: plan.seed,
      clock: new ProcessClock(this.time, { ms: 0 }, () => true),
      listings,
      speed,
      balance,
      feeRate,
      times: scaled(times, speed),
      faults: plan.faults,
      faultTimes: plan.faultTimes,
    });
    this.network = new Network(this.time, plan.network, (request) => this.sandbox.handle(request));
    this.mortality = new Mortality(plan, this.time);
  }

  get now(): EpochMs {
    return this.time.now;
  }

  get wall(): EpochMs {
    return this.time.now + this.offset.ms;
  }

  get process(): SimProcess | undefined {
    return this.#process;
  }

  books(): BooksView {
    return this.sandbox.books();
  }

  get boots(): number {
    return this.#boots;
  }

  /** Starts the process, and plans all that will befall it. */
  begin(): void {
    this.#calmBeginning();
    this.boot();
    for (const crash of this.plan.crashes) this.time.after(crash.at, () => this.#befall(crash.kind, crash));
    for (const restore of this.plan.restores) {
      this.time.after(restore.copiedAt, () => this.storage.exists && this.storage.backUp());
      this.time.after(restore.at, () => this.#restore(restore));
    }
    for (const step of this.plan.clockSteps) {
      this.time.after(step.at, () => {
        this.offset.ms += step.byMs;
        this.mortality.count('clock', 'step');
      });
    }
  }

  /** The very first balance is believed, as nothing is known that would contradict it: it must not be the odd one. */
  #calmBeginning(): void {
    const { faults } = this.plan;
    if (faults.balanceOdd === undefined) return;
    this.sandbox.setFaults({ ...faults, balanceOdd: 0 });
    this.time.after(FIRST_MINUTE_MS, () => {
      if (!this.mortality.healed) this.sandbox.setFaults(faults);
    });
  }

  boot(): void {
    if (this.#generation.alive) return;
    const generation = { alive: true, skewed: this.offset.ms !== 0 };
    this.#generation = generation;
    const boot = ++this.#boots;
    this.door.reboot();
    const alive = (): boolean => generation.alive;
    const point = (name: string): void => atPoint(name, this.#mortal(generation));
    try {
      const ledger = this.storage.open(point, new ProcessClock(this.time, this.offset, alive));
      this.rules.start(this.newestPurchase());
      this.#process = this.#newProcess(ledger, boot, alive, point);
      this.#process.start();
    } catch (error) {
      if (error instanceof Killed) return;
      if (!(error instanceof JournalFailure)) this.violations.push(violation('start', String(error), { at: this.now }));
      this.die('crash', RESTART_MS);
    }
  }

  /** The files are saved with other limits and strategies; a process that runs takes them. */
  saveRules(rules: RulesPlan): void {
    const process = this.#process;
    if (process === undefined || !this.#generation.alive) return void (this.rules.saved = rules);
    const taken = this.rules.save(rules, this.newestPurchase());
    this.log.note(this.#boots, 'rules-saved', { limits: rules.limits });
    process.reload(settingsOf(this.rules.bot, this.storage.folder), strategiesOf(this.rules.bot), taken);
  }

  /** Its number; 0: there is none. */
  newestPurchase(): number {
    const [row] = this.storage.exists ? this.storage.rows<{ id: number | null }>('SELECT max(id) AS id FROM purchases') : [];
    return row?.id ?? 0;
  }

  #newProcess(
    ledger: ReturnType<Storage['open']>,
    boot: number,
    alive: () => boolean,
    point: (name: string) => void,
  ): SimProcess {
    const { plan, time, offset, network, door, sandbox } = this;
    return new SimProcess({
      time,
      offset,
      ledger,
      settings: settingsOf(this.rules.bot, this.storage.folder),
      strategies: strategiesOf(this.rules.bot),
      network,
      door,
      random: seededRandom(plan.seed, `gateway/${boot}`),
      keys: { account: sandbox.childKey, partner: sandbox.topLevelKey },
      tradeUrl: sandbox.tradeUrl,
      log: this.log.of(boot, alive),
      boot,
      alive,
      point,
      patience: patienceOf(plan),
      onPost: (order) => this.#onPost(order),
      onLeave: (order) => this.violations.push(...ofLeaving(this, order)),
      onDefect: (error) => {
        if (alive()) this.#uncaught(error);
      },
    });
  }

  /** The process ends without another word; it is started again after a while. */
  die(kind: 'crash' | 'power', downMs: number): void {
    if (!this.#generation.alive) return;
    this.#generation.alive = false;
    this.#process = undefined;
    if (kind === 'power') this.storage.powerLoss(this.mortality.random);
    else this.storage.kill();
    this.log.note(this.#boots, 'died', { kind, downMs });
    this.time.after(downMs, () => this.boot());
  }

  /** The process is asked to stop, and started again once it has. */
  async stop(downMs: number | undefined): Promise<void> {
    const generation = this.#generation;
    const process = this.#process;
    if (!generation.alive || process === undefined) return;
    await process.stop();
    if (!generation.alive) return;
    generation.alive = false;
    this.#process = undefined;
    this.storage.close();
    this.log.note(this.#boots, 'stopped-by-request', { downMs });
    if (downMs !== undefined) this.time.after(downMs, () => this.boot());
  }

  /** The machine is as it is, and the ledger as it was: a person restores a copy, and starts the process again. */
  #restore({ copiedAt, downMs }: Plan['restores'][number]): void {
    if (this.mortality.healed) return;
    this.die('crash', downMs);
    const done = this.storage.restore(this.wall);
    // A copy from before the first look at the orders is refused.
    if (done === undefined || (!done.ok && done.fault.kind === 'foreign')) return;
    if (!done.ok) return void this.violations.push(violation('restore', done.fault.message, { at: this.now }));
    this.mortality.count('backup', 'restored');
    this.restored.push({ copiedAt: BEGIN + copiedAt, at: this.now, lastId: this.newestPurchase() });
    this.log.note(this.#boots, 'restored', { copiedAt });
  }

  /** No fault from now on; the machine's clock is put right, for which a process with a wrong one is started again. */
  heal(): void {
    this.sandbox.setFaults(Object.fromEntries(exchangeFaultNames.map((name) => [name, 0])));
    this.network.heal();
    this.mortality.heal();
    this.offset.ms = 0;
    if (this.#generation.skewed) void this.stop(1_000);
  }

  #befall(kind: 'crash' | 'power' | 'stop', crash: Plan['crashes'][number]): void {
    if (!this.#generation.alive || this.mortality.healed) return;
    if (kind === 'stop') {
      this.mortality.count('stop', 'asked to stop');
      void this.stop(crash.downMs);
    } else if (crash.point === undefined) {
      this.mortality.count(kind, 'at any moment');
      this.die(kind, crash.downMs);
    } else this.mortality.arm(crash);
  }

  #mortal(generation: { alive: boolean }): Mortal {
    const { mortality, time } = this;
    const dies: Mortal['dies'] = ({ kind, downMs }) => this.die(kind === 'power' ? 'power' : 'crash', downMs);
    return { mortality, time, isAlive: () => generation.alive, dies };
  }

  #onPost(order: BuyOrder): void {
    mayDieInFlight(this.#mortal(this.#generation));
    this.violations.push(...ofPost(this, order));
  }

  #uncaught(error: unknown): void {
    if (error instanceof Killed || !this.#generation.alive) return;
    const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
    this.violations.push(violation('defect', detail, { at: this.now }));
    this.die('crash', RESTART_MS);
  }

  /** A promise of ours failed and nobody listened: the process would end. */
  rejected(error: unknown): void {
    this.#uncaught(error);
  }

  dispose(): void {
    this.storage.dispose();
  }
}

/** The sandbox divides the times of orders by the market's speed; here they are meant as they are. */
export function scaled<T extends object>(times: T, speed: number): T {
  return Object.fromEntries(Object.entries(times).map(([name, ms]) => [name, Number(ms) * speed])) as T;
}
