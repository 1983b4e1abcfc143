import type { Clock } from '../domain/clock.ts';
import type { Parse } from '../feed/watch.ts';
import { JournalFailure } from '../engine/journal.ts';
import type { Log, Permits, Service } from '../engine/ports.ts';
import type { EngineState, Rules } from '../engine/state.ts';
import type { Buyer } from '../execution/buyer.ts';
import type { EvidencePolicy } from '../execution/evidence/policy.ts';
import type { Paper } from '../execution/paper.ts';
import { type LookResult, Reconciler } from '../execution/reconciler.ts';
import type { Told } from '../execution/told.ts';
import type { Slowed } from '../gateway/backoff.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Tape } from '../replay/tape.ts';
import { type AuditOutcome, auditAccount } from './account-audit.ts';
import { Bell } from './bell.ts';
import { ByHand } from './by-hand.ts';
import { EngineLoop, type Posted } from './engine-loop.ts';
import { PollFacts } from './facts.ts';
import { HealthWatch } from './health-watch.ts';
import { FirstLook } from './first-look.ts';
import { Hearing } from './hearing.ts';
import { JournalGuard } from './journal-guard.ts';
import { Lookout } from './lookout.ts';
import { Obedience } from './obedience.ts';
import { Opening } from './opening.ts';
import { Outside } from './outside.ts';
import { recordingOf, stateFrom } from './past.ts';
import { PermitPump } from './permit-pump.ts';
import { StartGate } from './start-gate.ts';
import { Telling } from './telling.ts';
import { tellAll } from './told-all.ts';
import { Troubles } from './troubles.ts';
import { Vigil, type VigilOptions } from './vigil.ts';
import { until, watching } from './watching.ts';

export interface CoreOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly ledger: Ledger;
  readonly service: Service;
  readonly rules: Rules;
  readonly intervalMs: number;
  readonly healthIntervalMs: number;
  readonly parse: Parse;
  readonly tape: Pick<Tape, 'poll' | 'input'> | undefined;
  /** What sends live purchases; undefined in dry-run, where no object exists that could send one. */
  readonly live: { readonly permits: Permits; readonly buyer: (told: Told) => Buyer } | undefined;
  readonly paper: (told: Told) => Paper;
  readonly policy: EvidencePolicy;
  /** From one look at the orders to the next while purchases are open, milliseconds. */
  readonly lookIntervalMs: number;
  /** From one look at what commands have changed in the ledger to the next, milliseconds; by default a fifth of a second. */
  readonly outsideIntervalMs?: number | undefined;
  /** Sees to the locks of folder and key; a fault while one cannot be held. */
  readonly keepLocks?: VigilOptions['keepLocks'];
  readonly onForeignFolder: (account: string, belongsTo: string) => void;
  /** A defect of ours: buying stops, and the process must not go on as if nothing had happened. */
  readonly onDefect: (error: unknown) => void;
}

/**
 * The bot without its surroundings: events in, effects obeyed. The live daemon, a dry-run and the simulation build it from other
 * ports; it does not know which.
 */
export class Core {
  readonly facts = new PollFacts();
  readonly telling: Telling;
  readonly gate: StartGate;
  readonly looks: Reconciler;
  readonly troubles: Troubles;
  readonly lookout: Lookout;
  /** When the account's orders were last looked at; undefined before the first look. */
  lastLookAt: number | undefined;
  readonly #options: CoreOptions;
  readonly #health = new HealthWatch();
  readonly #vigil: Vigil;
  readonly #loop: EngineLoop;
  readonly #journal: JournalGuard;
  readonly #told: Told;
  #orphansSettled = false;
  #looking = false;
  #polling = true;
  /** Aborted when everything has to end; before the start it is one that never is. */
  #signal = new AbortController().signal;
  readonly #hearing: Hearing;
  readonly #firstLook: FirstLook;
  readonly #outside: Outside;
  readonly #obedience: Obedience;
  readonly #opening: Opening;
  readonly #pump: PermitPump | undefined;
  readonly #buyer: Buyer | undefined;

  constructor(options: CoreOptions) {
    this.#options = options;
    const { clock, log, ledger, live } = options;
    const post = (event: Posted): void => this.#loop.post(event);
    const newestRowAt = ledger.newestRowAt();
    this.telling = new Telling(log, clock, (id) => journal.attempt(() => ledger.timingsOf(id)));
    const probe = (): void => ledger.probe(clock.now());
    const beforeOpening = (): void => this.#obedience.writeHalt();
    const journal = new JournalGuard({ clock, post, log, probe, beforeOpening, onTurn: (failing) => troubles.journal(failing) });
    const bell = new Bell(log, ledger, journal);
    const troubles = new Troubles(bell, clock);
    this.troubles = troubles;
    this.#journal = journal;
    this.lookout = new Lookout({ clock, bell, ledger, journal, post, state: () => this.state });
    const state = stateFrom(options, (purchase) => {
      this.telling.know(purchase);
      this.lookout.know(purchase);
    });
    this.#loop = new EngineLoop(state, clock, (effect) => this.#obedience.obey(effect), recordingOf(options.tape));
    const onClock = (wrong: string | undefined): void => troubles.clock(wrong);
    this.#opening = new Opening({ clock, log, state: () => this.state });
    const onOpen = (): void => this.#opening.passed();
    this.gate = new StartGate({ clock, post, newestRowAt, onOpen, onClock });
    this.#vigil = new Vigil({ ...options, bell, post, facts: this.facts });
    const { gate, facts, telling } = this;
    this.#firstLook = new FirstLook({ clock, ledger, gate, lookAgain: () => this.looks.soon() });
    this.#hearing = new Hearing({ ...options, journal, post, bell, gate, facts, onAccount: () => this.#accountIsOurs() });
    const told = tellAll({
      ...{ clock, ledger, tape: options.tape, telling: this.telling, lookout: this.lookout, journal, bell, post },
      looks: () => this.looks,
      obedience: () => this.#obedience,
      outside: () => this.#outside,
    });
    this.looks = this.#reconciler(told, post);
    this.#buyer = live?.buyer(told);
    this.#pump = live && new PermitPump(live.permits, (event) => this.#attempt(() => post(event)));
    const byHand = new ByHand({
      ...options,
      ...{ journal, hearing: this.#hearing, facts, post, lane: live ? 'live' : 'paper' },
      look: () => this.#look(),
      audit: () => this.#audit(),
      stopped: () => this.#signal.aborted,
    });
    const means = this.#buyer && this.#pump && { buyer: this.#buyer, pump: this.#pump };
    const onDefect = (error: unknown): void => this.#defect(error);
    const obeyed = { ...options, onDefect, journal, bell, telling, byHand, means, paper: options.paper(told) };
    this.#obedience = new Obedience(obeyed);
    this.#told = told;
    this.#outside = this.#outsideOf(told, byHand);
  }

  /** What the engine knows now: to be looked at, never to be changed. */
  get state(): Readonly<EngineState> {
    return this.#loop.state;
  }

  /** Live purchases whose outcome is not written yet. */
  get inFlight(): number {
    return this.#buyer?.inFlight ?? 0;
  }

  /**
   * Starts everything; it runs until the signal is aborted, then `finish` ends it. With `onceAfter` the listings are polled only
   * once, when that resolves.
   */
  start(signal: AbortSignal, onceAfter?: Promise<void>): void {
    this.#signal = signal;
    this.#polling = onceAfter === undefined;
    this.#settleOrphans();
    const { service, clock, intervalMs, healthIntervalMs, parse, rules } = this.#options;
    const health = rules.health.require !== 'off';
    const heard = watching({ service, clock, intervalMs, healthIntervalMs, parse, health, onceAfter });
    until(
      signal,
      heard.subscribe((each) => this.#attempt(() => this.#hearing.hear(each))),
    );
    this.#outside.start(signal);
    this.#pump?.start(signal).catch((error: unknown) => this.#defect(error));
    this.usual();
  }

  /** No new purchase starts; those in flight get some seconds. */
  async finish(): Promise<void> {
    const detail = 'Magpie is being stopped';
    this.#loop.post({ type: 'blocked', name: 'stopping', refusal: { reason: 'stopping', detail } });
    await this.#buyer?.stop();
    await this.looks.finished();
    this.#obedience.lastHalt();
    this.telling.flush();
  }

  /** What passes with time alone: matches that waited too long, a halt that could not be written. */
  tick(): void {
    this.#attempt(() => {
      if (!this.#orphansSettled) this.#settleOrphans();
      this.#health.note(this.state, this.#options.clock.now());
      this.#vigil.tick(this.#polling);
      this.#firstLook.tick();
      this.lookout.tick();
      this.#opening.tell();
      this.#loop.post({ type: 'tick' });
      this.#obedience.writeHalt();
    });
  }

  /** Does a write of upkeep, or a read, unless the journal refuses; undefined then. */
  keep<T>(work: () => T): T | undefined {
    return this.#journal.attempt(work);
  }

  /** Looks whether a journal that refused a write takes intents again. */
  mend(): void {
    if (this.#journal.failing === undefined) return;
    this.#journal.mend();
    if (this.state.slowedUntil !== undefined) this.slowed(this.state.slowedUntil);
  }

  /** Tells the engine what an ordinary hour is. */
  usual(): void {
    const usual = this.#journal.attempt(() => this.#options.ledger.usual(this.#options.clock.now()));
    if (usual !== undefined) this.#loop.post({ type: 'usual', usual });
  }

  /** The service asked us to slow down. */
  slowed(until: number, why?: Pick<Slowed, 'cause' | 'message'>): void {
    this.#journal.attempt(() => this.#options.ledger.saveSlowUntil(until));
    this.#loop.post({ type: 'slowed', until });
    if (why !== undefined) this.troubles.slowed(until, why);
  }

  #audit(): Promise<AuditOutcome> {
    const { service, clock, ledger } = this.#options;
    return auditAccount({ service, clock, ledger, look: () => this.#look(), signal: this.#signal });
  }

  /** What another account has ordered must settle nothing here: nobody looks before it is known whose orders they are. */
  #accountIsOurs(): void {
    if (this.#looking) return;
    this.#looking = true;
    this.looks.start(this.#signal);
  }

  async #look(): Promise<LookResult> {
    if (this.#looking) return this.looks.once(this.#signal);
    const unknown = this.#journal.attempt(() => this.#options.ledger.countsByState().unknown) ?? 0;
    const message = `the account has not answered: ${this.#hearing.accountFault ?? 'its orders are asked for next'}`;
    return { ok: false, message, unknown, changed: [] };
  }

  /** What an earlier process left without an outcome is unknown from now on. Until that is written, nothing is bought. */
  #settleOrphans(): void {
    const { ledger, clock } = this.#options;
    const orphans = this.#journal.attempt(() => {
      ledger.abandonRequests(clock.now());
      return ledger.orphansToUnknown(clock.now());
    });
    if (orphans === undefined) return;
    this.#orphansSettled = true;
    if (orphans.length > 0) this.#told.purchases(orphans);
  }

  #outsideOf(told: Told, byHand: ByHand): Outside {
    return new Outside({
      ...{ ...this.#options, told, intervalMs: this.#options.outsideIntervalMs },
      haltWaits: () => this.#obedience.haltWaits,
      state: () => this.state,
      post: (event) => this.#loop.post(event),
      onHalt: (halt) => this.troubles.halted(halt),
      onDefect: (error) => this.#defect(error),
      obey: (request) => byHand.obey(request),
    });
  }

  #reconciler(told: Told, post: (event: Posted) => void): Reconciler {
    const { service, ledger: journal, clock, policy, lookIntervalMs: intervalMs, tape, onForeignFolder } = this.#options;
    return new Reconciler({
      ...{ service, journal, clock, policy, intervalMs, told, onForeignFolder },
      onBalance: (reading) => post({ type: 'balance', reading: this.#journal.attempt(() => journal.spendable()) ?? reading }),
      onLook: ({ beganAt, orders, balance, listings }, findings) => {
        this.lastLookAt = clock.now();
        this.#vigil.looked(orders?.unreadable);
        if (orders && this.#orphansSettled) this.#firstLook.looked(orders);
        const { total, returned } = orders ?? {};
        tape?.input('evidence', clock.now(), { beganAt, total, returned, balance, listings: [...listings], findings });
      },
      health: (since) => this.#health.since(this.state, since),
      onDefect: (error) => this.#defect(error),
    });
  }

  /** What fails here ends neither the watching nor the taking of permits. */
  #attempt(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#defect(error);
    }
  }

  /** A journal that fails where nobody minds it closes buying, and the process stays up; anything else is ours to mend. */
  #defect(error: unknown): void {
    if (error instanceof JournalFailure) this.#journal.failed(error.message);
    else this.#options.onDefect(error);
  }
}
