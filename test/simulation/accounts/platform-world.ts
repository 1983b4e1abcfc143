import { Rejections } from '../../../src/app/accounts/rejections.ts';
import type { EpochMs } from '../../../src/domain/clock.ts';
import { type Random, seededRandom } from '../../../src/domain/random.ts';
import type { SandboxRequest } from '../../../src/sandbox/answer.ts';
import type { BooksView } from '../../../src/sandbox/audit.ts';
import { type Sandbox, createSandbox } from '../../../src/sandbox/sandbox.ts';
import type { SandboxAnswer } from '../../../src/sandbox/sandbox-answer.ts';
import { Killed } from '../killed.ts';
import { Network } from '../network.ts';
import type { Crash, Plan } from '../plan.ts';
import { SimLog } from '../sim-log.ts';
import { ProcessClock, SimTime } from '../sim-time.ts';
import { Storage } from '../storage.ts';
import { type Violation, violation } from '../violation.ts';
import { BEGIN, scaled } from '../world.ts';
import { Aim } from './aim.ts';
import { MarketCourse } from './market-course.ts';
import type { AccountsPlan, Aimed, Blow, ProcessEnd } from './plan.ts';
import { PlatformProcess } from './platform-process.ts';
import { SimAccount } from './sim-account.ts';

/** A defect that was planted shows itself within this. */
const DEFECT_MS = 30_000;

/** Who has asked it to stop kills it after this. */
const STOP_MS = 90_000;

/** One exchange, one process, and its accounts: composed as `startPlatform` composes them, over simulated ports. */
export class PlatformWorld {
  readonly plan: AccountsPlan;
  readonly time: SimTime;
  readonly sandbox: Sandbox;
  readonly accounts: readonly SimAccount[];
  readonly aim: Aim | undefined;
  readonly violations: Violation[] = [];
  readonly #rejections = new Rejections();
  /** What befell all of them together and struck. */
  readonly befell = new Map<string, number>();
  readonly #storage = new Storage();
  readonly #course: MarketCourse;
  readonly #readerNetwork: Network;
  readonly #log: SimLog;
  readonly #power: Random;
  #process: PlatformProcess | undefined;
  #boots = 0;
  /** It goes down, and will be started again. */
  #ending = false;
  #healed = false;
  #books: { readonly events: number; readonly view: BooksView } | undefined;

  /** `aimed`: the faults that are aimed at one of them; undefined: none are. */
  constructor(plan: AccountsPlan, aimed: Aimed | undefined) {
    this.plan = plan;
    this.#power = seededRandom(plan.seed, 'accounts/power');
    this.time = new SimTime(BEGIN, (error) => this.#uncaught(error));
    this.#log = new SimLog(() => this.time.now);
    const clock = new ProcessClock(this.time, { ms: 0 }, () => true);
    const { seed, accounts, target, pace } = plan;
    const { listings, speed, balance, feeRate, times } = plan.market;
    const weather = this.#weather;
    this.sandbox = createSandbox({
      ...{ seed, clock, balance, feeRate, speed, faults: weather, faultTimes: accounts[0]?.plan.faultTimes ?? {}, control: true },
      // The first child draws from the stream of the top-level account, which reads for all: it is nobody's here.
      children: accounts.length + 1,
      snapshot: '{"data":{"listings":[]}}',
      times: scaled(times, speed),
    });
    this.#course = new MarketCourse(this.sandbox, clock, this.time, { seed, listings, speed, feeRate }, pace);
    this.#readerNetwork = new Network(this.time, plan.readerNetwork, (request) => this.#read(request));
    const key = this.sandbox.childKeys[target + 1] ?? '';
    const { time, sandbox } = this;
    this.aim = aimed && new Aim({ aimed, sandbox, weather, key, now: () => time.now, beganAt: BEGIN });
    this.accounts = accounts.map((account, place) => this.#accountOf(account, place));
  }

  get now(): EpochMs {
    return this.time.now;
  }

  /** The same view for all who look in one moment: to make it takes a while. */
  books(): BooksView {
    const { events } = this.time;
    if (this.#books?.events !== events) this.#books = { events, view: this.sandbox.books() };
    return this.#books.view;
  }

  get target(): SimAccount {
    const found = this.accounts[this.plan.target];
    if (found === undefined) throw new RangeError(`no account ${this.plan.target}`);
    return found;
  }

  get others(): readonly SimAccount[] {
    return this.accounts.filter((account) => account !== this.target);
  }

  /** As the platform starts, and all that will befall it. */
  async begin(): Promise<void> {
    this.#course.begin();
    await this.#boot();
    for (const blow of this.aim?.aimed.blows ?? []) this.time.after(blow.at, () => this.#strike(blow));
    for (const end of this.plan.together?.ends ?? []) this.time.after(end.at, () => this.#befall(end));
  }

  async #boot(): Promise<void> {
    this.#ending = false;
    this.#boots += 1;
    if (this.#boots > 1) for (const { door } of this.accounts) door.reboot();
    const { plan, time, sandbox, accounts } = this;
    this.#process = new PlatformProcess({
      ...{
        plan,
        time,
        sandbox,
        accounts,
        storage: this.#storage,
        network: this.#readerNetwork,
        log: this.#log,
        boot: this.#boots,
      },
      rejections: this.#rejections,
      uncaught: (error) => this.#uncaught(error),
    });
    await this.#process.begin();
  }

  #befall(end: ProcessEnd): void {
    const account = this.accounts[end.place];
    if (this.#healed || this.#ending || this.#process?.alive !== true || account === undefined) return;
    if (end.kind === 'stop') this.#stopAndStart(end.downMs);
    else if (end.point === undefined) this.#die(end);
    else account.mortality.arm(end);
  }

  /** All that it was doing ends here and now. */
  #die({ kind, downMs }: Crash): void {
    const process = this.#process;
    if (process?.alive !== true) return;
    this.#count(kind);
    this.#kill(process, kind === 'power' ? 'power' : 'crash');
    if (!this.#ending) this.#startAfter(downMs);
  }

  #kill(process: PlatformProcess, kind: 'crash' | 'power'): void {
    process.kill();
    for (const account of this.accounts) account.die(kind);
    // What the record of prices would lose goes by all that was seen, the purchases of the one that is struck with it.
    if (kind === 'power' && this.plan.wishes === 'contested') this.#storage.powerLoss(this.#power);
    else this.#storage.kill();
  }

  /** As a service manager does: who takes too long to end is killed. Whoever it was that took long, all begin again in the same moment. */
  #stopAndStart(downMs: number): void {
    const process = this.#process;
    if (process === undefined) return;
    this.#count('stop');
    this.#startAfter(STOP_MS + downMs);
    void process.stop();
    this.time.after(STOP_MS, () => {
      if (process.alive) this.#kill(process, 'crash');
    });
  }

  #startAfter(ms: number): void {
    this.#ending = true;
    this.time.after(ms, () => void this.#boot());
  }

  #count(name: string): void {
    this.befell.set(name, (this.befell.get(name) ?? 0) + 1);
  }

  /** A question of the reader, which meets what befalls nobody else's. */
  #read(request: SandboxRequest): SandboxAnswer {
    const { sandbox, plan } = this;
    if (plan.together === undefined || this.#healed) return sandbox.handle(request);
    const weather = this.#weather;
    sandbox.setFaults({ ...weather, ...plan.together.faults });
    try {
      return sandbox.handle(request);
    } finally {
      sandbox.setFaults(weather);
    }
  }

  /** Of the reader's network, each in the name under which it is counted. */
  get struckReader(): Readonly<Record<string, number>> {
    const { faults } = this.sandbox.books();
    const ofExchange = Object.keys(this.plan.together?.faults ?? {}).map((name) => [name, faults[name] ?? 0] as const);
    return Object.fromEntries([...ofExchange, ...this.#readerNetwork.struck]);
  }

  heal(): void {
    this.#healed = true;
    this.aim?.heal();
    this.#readerNetwork.heal();
    this.sandbox.setFaults({ orderFails: 0, orderReverts: 0, healthDegraded: 0, healthDown: 0 });
    for (const account of this.accounts) account.heal();
  }

  /** Resolves when all have ended. */
  async stop(): Promise<void> {
    await this.#process?.stop();
  }

  /** A rejection that nobody listens to: whoever's work it comes of is told, and what is nobody's would end the process. */
  rejected(error: unknown): void {
    try {
      this.#rejections.heard(error);
    } catch (unowned) {
      this.#uncaught(unowned);
    }
  }

  dispose(): void {
    // Each has laid its watch over that of the one before.
    for (const account of this.accounts.toReversed()) account.dispose();
    this.#storage.dispose();
  }

  get #weather(): Plan['faults'] {
    return this.plan.accounts[0]?.plan.faults ?? {};
  }

  #accountOf({ name, plan }: AccountsPlan['accounts'][number], place: number): SimAccount {
    const { aim } = this;
    const isStruck = aim !== undefined && place === this.plan.target;
    const handle = (request: SandboxRequest) => (isStruck ? aim.handle(request) : this.sandbox.handle(request));
    const failed = (error: unknown): void => {
      account.defect(error);
    };
    const account: SimAccount = new SimAccount({
      ...{
        name,
        time: this.time,
        sandbox: this.sandbox,
        child: place + 1,
        handle,
        failed,
      },
      books: () => this.books(),
      plan: isStruck ? struckPlan(plan, aim.aimed) : plan,
      dies: (crash) => this.#die(crash),
      inName: (work) => this.#rejections.of(failed, work),
    });
    return account;
  }

  #strike({ name }: Blow): void {
    const { target, aim } = this;
    const { process } = target;
    if (process === undefined || aim === undefined || (name !== 'engineThrows' && name !== 'rejection')) return;
    target.isDefectAimed = true;
    this.time.after(DEFECT_MS, () => (target.isDefectAimed = false));
    aim.count(name);
    // Rules that are none: a defect, met inside of the core.
    if (name === 'engineThrows') process.core.reload({} as never);
    else
      void this.#rejections.of(
        (error) => target.defect(error),
        () => Promise.reject(new Error('nobody handles this')),
      );
  }

  #uncaught(error: unknown): void {
    if (error instanceof Killed || this.#process?.killed === true) return;
    const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
    this.violations.push(violation('platform-defect', detail, { at: this.now }));
  }
}

function struckPlan(plan: Plan, { blows, faults, network, disk, acts }: Aimed): Plan {
  const { bot } = plan;
  // What another client takes no reserve can keep, and no balance explains: a purchase may stay unknown until a person looks.
  const limits = { ...bot.limits, reserve: 0 };
  const kind = blows.some(({ name }) => name === 'drained') ? 'beyond' : plan.kind;
  return {
    ...plan,
    kind,
    bot: { ...bot, limits },
    faults: { ...plan.faults, ...faults },
    network: { ...plan.network, rates: network },
    disk,
    acts,
  };
}
