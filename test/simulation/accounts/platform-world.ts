import { AccountKeeper } from '../../../src/app/accounts/account-keeper.ts';
import { Rejections } from '../../../src/app/accounts/rejections.ts';
import { SharedMarket } from '../../../src/app/accounts/shared-market.ts';
import { SharedPrices } from '../../../src/app/accounts/shared-prices.ts';
import { TurnDesk } from '../../../src/app/accounts/turn-desk.ts';
import type { EpochMs } from '../../../src/domain/clock.ts';
import { seededRandom } from '../../../src/domain/random.ts';
import type { Service } from '../../../src/engine/ports.ts';
import type { SandboxRequest } from '../../../src/sandbox/answer.ts';
import type { BooksView } from '../../../src/sandbox/audit.ts';
import { type Sandbox, createSandbox } from '../../../src/sandbox/sandbox.ts';
import { settingsOf } from '../bot-plan.ts';
import { Door, type Heard } from '../door.ts';
import { Network } from '../network.ts';
import { patienceOf } from '../pace.ts';
import type { Plan } from '../plan.ts';
import { SimGateway } from '../sim-gateway.ts';
import { SimLog } from '../sim-log.ts';
import { ProcessClock, SimTime } from '../sim-time.ts';
import { Storage } from '../storage.ts';
import { type Violation, violation } from '../violation.ts';
import { BEGIN, scaled } from '../world.ts';
import { Aim } from './aim.ts';
import { MarketCourse } from './market-course.ts';
import type { AccountsPlan, Aimed, Blow } from './plan.ts';
import { SimAccount } from './sim-account.ts';

/** An account that is down is tried again after this, at the usual pace. */
const AGAIN_MS = 60_000;

/** A defect that was planted shows itself within this. */
const DEFECT_MS = 30_000;

/** What the one reader hears, all accounts have heard. */
class SharedDoor extends Door {
  readonly #doors: () => readonly Door[];

  constructor(doors: () => readonly Door[]) {
    super();
    this.#doors = doors;
  }

  override heardHealth(heard: Heard): void {
    for (const door of this.#doors()) door.heardHealth(heard);
  }

  override heardPart(heard: Omit<Heard, 'part'>): void {
    for (const door of this.#doors()) door.heardPart(heard);
  }

  override endOfPart(cameToNothing: boolean): void {
    for (const door of this.#doors()) door.endOfPart(cameToNothing);
  }

  override heardFeed(heard: Heard): void {
    for (const door of this.#doors()) door.heardFeed(heard);
  }
}

/** One exchange, one process, and its accounts: composed as `startPlatform` composes them, over simulated ports. */
export class PlatformWorld {
  readonly plan: AccountsPlan;
  readonly time: SimTime;
  readonly sandbox: Sandbox;
  readonly accounts: readonly SimAccount[];
  readonly aim: Aim | undefined;
  readonly violations: Violation[] = [];
  readonly #rejections = new Rejections();
  readonly #stopping = new AbortController();
  readonly #keepers: readonly AccountKeeper[];
  readonly #market: SharedMarket;
  readonly #prices: SharedPrices;
  readonly #storage = new Storage();
  readonly #course: MarketCourse;
  readonly #readerNetwork: Network;
  readonly #log: SimLog;
  #over: Promise<unknown> = Promise.resolve();
  #books: { readonly events: number; readonly view: BooksView } | undefined;

  /** `aimed`: the faults that are aimed at one of them; undefined: none are. */
  constructor(plan: AccountsPlan, aimed: Aimed | undefined) {
    this.plan = plan;
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
    const desk = new TurnDesk(accounts.map(({ name }) => name));
    this.#readerNetwork = new Network(this.time, plan.readerNetwork, (request) => this.sandbox.handle(request));
    this.#market = this.#marketOf(desk, clock);
    this.#prices = this.#pricesOf(desk, clock);
    const key = this.sandbox.childKeys[target + 1] ?? '';
    const { time, sandbox } = this;
    this.aim = aimed && new Aim({ aimed, sandbox, weather, key, now: () => time.now, beganAt: BEGIN });
    this.accounts = accounts.map((account, place) => this.#accountOf(account, place, desk));
    this.#keepers = this.accounts.map((account) => this.#keeperOf(account, desk, clock));
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

  /** As the platform starts: each account opens its ledger before anybody is told of a listing. */
  async begin(): Promise<void> {
    this.#course.begin();
    this.#prices.start(this.#stopping.signal);
    for (const keeper of this.#keepers) await keeper.begin();
    this.#over = Promise.all(this.#keepers.map((keeper) => keeper.run(this.#stopping.signal)));
    this.#market.start(this.#stopping.signal);
    for (const blow of this.aim?.aimed.blows ?? []) this.time.after(blow.at, () => this.#strike(blow));
  }

  heal(): void {
    this.aim?.heal();
    this.#readerNetwork.heal();
    this.sandbox.setFaults({ orderFails: 0, orderReverts: 0, healthDegraded: 0, healthDown: 0 });
    for (const account of this.accounts) account.heal();
  }

  /** Resolves when all have ended. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#over;
    this.#storage.close();
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

  #marketOf(desk: TurnDesk, clock: ProcessClock): SharedMarket {
    const { feed } = settingsOf(this.#firstBot, '');
    const ignored = (): void => undefined;
    return new SharedMarket({
      ...{ service: this.#reader(clock), clock, intervalMs: feed.intervalMs, parse: feed.parse },
      ...{ healthIntervalMs: feed.health.intervalMs, health: feed.health.require !== 'off', tape: undefined },
      afterAll: (work) => desk.afterAll(work),
      onFirst: (keys) => desk.firstSeen(keys),
      onPoll: ignored,
    });
  }

  #pricesOf(desk: TurnDesk, clock: ProcessClock): SharedPrices {
    const { days, fall } = settingsOf(this.#firstBot, '').reference;
    const ledger = this.#storage.open(() => undefined, clock);
    const afterAll = (work: () => void): void => desk.afterAll(work);
    return new SharedPrices({ clock, ledger, log: this.#log.of(1, () => true), market: this.#market, days, fall, afterAll });
  }

  #reader(clock: ProcessClock): Service {
    const { topLevelKey, tradeUrl } = this.sandbox;
    const { rate, feed } = settingsOf(this.#firstBot, '');
    const never = (): void => this.#uncaught(new Error('the reader has bought'));
    return new SimGateway({
      ...{ network: this.#readerNetwork, door: new SharedDoor(() => this.accounts.map(({ door }) => door)), clock, tradeUrl },
      random: seededRandom(this.plan.seed, 'accounts/reader'),
      keys: { account: topLevelKey, partner: topLevelKey },
      parse: feed.parse,
      rates: rate,
      slowUntil: undefined,
      onSlowed: ({ until }) => this.#log.note(1, 'slowed-down', { until }),
      boot: 1,
      alive: () => true,
      trueNow: () => this.time.now,
      ...{ onPost: never, onLeave: never, keptBack: () => undefined },
    }).service;
  }

  get #firstBot(): Plan['bot'] {
    const [first] = this.plan.accounts;
    if (first === undefined) throw new RangeError('a life of no account');
    return first.plan.bot;
  }

  #accountOf({ name, plan }: AccountsPlan['accounts'][number], place: number, desk: TurnDesk): SimAccount {
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
        desk,
        market: this.#market,
        prices: this.#prices,
        failed,
      },
      books: () => this.books(),
      plan: isStruck ? struckPlan(plan, aim.aimed) : plan,
      inName: (work) => this.#rejections.of(failed, work),
    });
    return account;
  }

  #keeperOf(account: SimAccount, desk: TurnDesk, clock: ProcessClock): AccountKeeper {
    return new AccountKeeper({
      ...{ account: account.name, clock, desk, once: false, againMs: AGAIN_MS * patienceOf(this.plan) },
      log: this.#log.of(1, () => true),
      start: () =>
        this.#rejections.of(
          (error) => account.defect(error),
          () => account.start(),
        ),
    });
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
