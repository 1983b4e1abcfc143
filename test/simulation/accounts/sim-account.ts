import { amongOthers } from '../../../src/app/accounts/among.ts';
import { guardedClock } from '../../../src/app/accounts/guarded-clock.ts';
import type { InName } from '../../../src/app/accounts/rejections.ts';
import type { TurnDesk } from '../../../src/app/accounts/turn-desk.ts';
import type { Daemon, Ended, Started } from '../../../src/app/daemon.ts';
import type { PriceSource } from '../../../src/app/references.ts';
import type { MarketSource } from '../../../src/app/watching.ts';
import type { EpochMs } from '../../../src/domain/clock.ts';
import { seededRandom } from '../../../src/domain/random.ts';
import { JournalFailure } from '../../../src/engine/journal.ts';
import type { BuyOrder } from '../../../src/engine/ports.ts';
import type { SandboxRequest } from '../../../src/sandbox/answer.ts';
import type { BooksView } from '../../../src/sandbox/audit.ts';
import type { Sandbox } from '../../../src/sandbox/sandbox.ts';
import type { SandboxAnswer } from '../../../src/sandbox/sandbox-answer.ts';
import { ofLeaving, ofPost } from '../at-the-door.ts';
import { type RulesPlan, settingsOf, strategiesOf } from '../bot-plan.ts';
import { Door } from '../door.ts';
import { Killed, type Mortal, atPoint, mayDieInFlight } from '../killed.ts';
import type { Lived } from '../lived.ts';
import { Mortality } from '../mortality.ts';
import { Network } from '../network.ts';
import { patienceOf } from '../pace.ts';
import type { Crash, Plan } from '../plan.ts';
import { SimProcess } from '../process.ts';
import { RuleLog } from '../rule-log.ts';
import { SimLog } from '../sim-log.ts';
import { ProcessClock, type SimTime, type WallOffset } from '../sim-time.ts';
import { Storage } from '../storage.ts';
import { type Violation, violation } from '../violation.ts';
import { accountBooks } from './account-books.ts';

export interface SimAccountParts {
  readonly name: string;
  readonly plan: Plan;
  readonly time: SimTime;
  readonly sandbox: Sandbox;
  /** The place of its child account at the exchange. */
  readonly child: number;
  /** The exchange's own. */
  readonly books: () => BooksView;
  /** The exchange as its requests meet it. */
  readonly handle: (request: SandboxRequest) => SandboxAnswer;
  readonly inName: InName;
  /** Its work has failed where nothing of its own catches it. */
  readonly failed: (error: unknown) => void;
  /** The process, with all its accounts, dies here and now. */
  readonly dies: (crash: Crash) => void;
}

/** What an account shares with the others of one run of the process. */
export interface Shared {
  readonly desk: TurnDesk;
  readonly market: MarketSource;
  readonly prices: PriceSource;
}

/** One start of the account. */
interface Generation {
  alive: boolean;
  /** Its process was killed: what it still says are its last words. */
  killed: boolean;
}

const noOffset: WallOffset = { ms: 0 };

/** One of the accounts of a simulated process: all that it has for itself, composed as the daemon of one among several composes it. */
export class SimAccount implements Lived {
  readonly name: string;
  readonly plan: Plan;
  readonly time: SimTime;
  readonly sandbox: Sandbox;
  readonly door = new Door();
  readonly storage = new Storage();
  readonly log: SimLog;
  readonly mortality: Mortality;
  readonly restored = [];
  readonly rules: RuleLog;
  readonly network: Network;
  readonly violations: Violation[] = [];
  /** A defect that the life itself has planted is none of the program. */
  isDefectAimed = false;
  readonly #parts: SimAccountParts;
  #boots = 0;
  #process: SimProcess | undefined;
  #generation: Generation = { alive: false, killed: false };
  #isOpen = false;

  constructor(parts: SimAccountParts) {
    const { name, plan, time, sandbox, handle } = parts;
    this.#parts = parts;
    this.name = name;
    this.plan = plan;
    this.time = time;
    this.sandbox = sandbox;
    this.log = new SimLog(() => time.now);
    this.mortality = new Mortality(plan, time);
    this.rules = new RuleLog(plan.bot);
    this.network = new Network(time, plan.network, handle);
  }

  get now(): EpochMs {
    return this.time.now;
  }

  get wall(): EpochMs {
    return this.time.now;
  }

  get boots(): number {
    return this.#boots;
  }

  get process(): SimProcess | undefined {
    return this.#process;
  }

  get key(): string {
    return this.sandbox.childKeys[this.#parts.child] ?? '';
  }

  books(): BooksView {
    return accountBooks(this.#parts.books(), this.#parts.child);
  }

  /** The files are saved with other limits and strategies; a process that runs takes them. */
  saveRules(rules: RulesPlan): void {
    const process = this.#process;
    if (process === undefined) return void (this.rules.saved = rules);
    const taken = this.rules.save(rules, this.#newestPurchase());
    this.log.note(this.#boots, 'rules-saved', { limits: rules.limits });
    const { bot } = this.rules;
    this.#parts.inName(() => process.reload(settingsOf(bot, this.storage.folder), strategiesOf(bot), taken));
  }

  #newestPurchase(): number {
    const [row] = this.storage.exists ? this.storage.rows<{ id: number | null }>('SELECT max(id) AS id FROM purchases') : [];
    return row?.id ?? 0;
  }

  /** No fault of its own from now on. */
  heal(): void {
    this.network.heal();
    this.mortality.heal();
  }

  /** As the daemon starts: what cannot be opened throws, and whoever keeps the account tries again. */
  async start(shared: Shared): Promise<Started> {
    const generation = { alive: true, killed: false };
    this.#generation = generation;
    const alive = (): boolean => generation.alive;
    const point = (name: string): void => atPoint(name, this.#mortal(generation));
    this.#isOpen = true;
    try {
      const ledger = this.storage.open(point, new ProcessClock(this.time, noOffset, alive), true);
      this.#boots += 1;
      this.rules.start(this.#newestPurchase());
      const process = this.#composed(ledger, shared, alive, point);
      this.#process = process;
      process.start();
      return { ok: true, daemon: this.#daemonOf(process, generation) };
    } catch (error) {
      generation.alive = false;
      if (error instanceof Killed) throw error;
      this.#close();
      if (!(error instanceof JournalFailure)) this.violations.push(violation('start', String(error), { at: this.now }));
      throw error;
    }
  }

  /** The process has been killed, or the machine went off. */
  die(kind: 'crash' | 'power'): void {
    this.#generation.alive = false;
    this.#generation.killed = true;
    this.#process = undefined;
    // Files that nobody has open lose nothing.
    if (!this.#isOpen) return;
    this.#isOpen = false;
    if (kind === 'power') this.storage.powerLoss(this.mortality.random);
    else this.storage.kill();
    this.log.note(this.#boots, 'died', { kind });
  }

  #mortal(generation: Generation): Mortal {
    const { mortality, time } = this;
    return { mortality, time, isAlive: () => !generation.killed, dies: this.#parts.dies };
  }

  #composed(
    ledger: ReturnType<Storage['open']>,
    { desk, market, prices }: Shared,
    alive: () => boolean,
    point: (name: string) => void,
  ): SimProcess {
    const { time, plan, network, door, sandbox, rules } = this;
    const { inName, failed, name } = this.#parts;
    const partner = { baseUrl: '', account: undefined, name: 'simulated', sandbox: undefined };
    const shared = {
      partner,
      scrub: (text: string) => text,
      market,
      prices,
      guard: { opened: () => undefined, refusal: () => undefined },
      handOn: () => undefined,
    };
    return new SimProcess({
      ...{ time, ledger, network, door, alive, point, offset: noOffset, boot: this.#boots },
      settings: settingsOf(rules.bot, this.storage.folder),
      strategies: strategiesOf(rules.bot),
      random: seededRandom(plan.seed, `gateway/${this.#boots}`),
      keys: { account: this.key, partner: this.key },
      tradeUrl: sandbox.tradeUrl,
      log: this.log.of(this.#boots, alive),
      patience: patienceOf(plan),
      onPost: (order: BuyOrder) => {
        mayDieInFlight(this.#mortal(this.#generation));
        this.violations.push(...ofPost(this, order));
      },
      onLeave: (order: BuyOrder) => this.violations.push(...ofLeaving(this, order)),
      onDefect: (error) => this.defect(error),
      among: amongOthers(name, shared, desk, inName),
      guard: (clock) => guardedClock(clock, failed),
    });
  }

  /** As far as whoever keeps the account asks for it. */
  #daemonOf(process: SimProcess, generation: Generation): Daemon {
    const log = this.log.of(this.#boots, () => generation.alive);
    const close = async (): Promise<Ended> => {
      await process.finished().catch((error: unknown) => this.defect(error));
      if (generation.killed) return { exitCode: 1 };
      generation.alive = false;
      this.#process = undefined;
      this.#close();
      return { exitCode: 1 };
    };
    const ended = aborted(process.stopping).then(close);
    const stop = (why: string): void => {
      log.info('stopping', { why });
      process.abort();
    };
    return { core: process.core, log, stopping: process.stopping, ended, stop, reload: () => undefined };
  }

  #close(): void {
    this.#isOpen = false;
    this.storage.close();
  }

  /** A broken invariant of its own ends the account. */
  defect(error: unknown): void {
    if (error instanceof Killed || this.#generation.killed) return;
    const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
    if (!this.isDefectAimed) this.violations.push(violation('defect', detail, { at: this.now }));
    this.log.note(this.#boots, 'defect', { message: error instanceof Error ? error.message : String(error) });
    this.#process?.abort();
  }

  dispose(): void {
    this.storage.dispose();
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
