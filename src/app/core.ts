import { JournalFailure } from '../engine/journal.ts';
import type { EngineState, Rules } from '../engine/state.ts';
import type { Buyer } from '../execution/buyer.ts';
import { type LookResult, Reconciler } from '../execution/reconciler.ts';
import type { Told } from '../execution/told.ts';
import type { Slowed } from '../gateway/backoff.ts';
import { type AuditOutcome, auditAccount } from './account-audit.ts';
import { Bell } from './bell.ts';
import { ByHand } from './by-hand.ts';
import type { CoreOptions } from './core-options.ts';
import { EngineLoop, type Posted } from './engine-loop.ts';
import { PollFacts } from './facts.ts';
import { HealthWatch } from './health-watch.ts';
import { FirstLook } from './first-look.ts';
import { Hearing } from './hearing.ts';
import { JournalGuard } from './journal-guard.ts';
import { Lookout } from './lookout.ts';
import { LowBalance } from './low-balance.ts';
import { costMaxOf } from './cost-max.ts';
import { Obedience } from './obedience.ts';
import { Opening } from './opening.ts';
import { Outside } from './outside.ts';
import { stateFrom, witnessOf } from './past.ts';
import { PermitPump } from './permit-pump.ts';
import { References } from './references.ts';
import { RuleChange } from './rule-change.ts';
import { Shadowing } from './shadowing.ts';
import { StartGate } from './start-gate.ts';
import { Telling } from './telling.ts';
import { tellAll } from './told-all.ts';
import { Troubles } from './troubles.ts';
import { Vigil } from './vigil.ts';
import { until, watching } from './watching.ts';

/**
 * The bot without its surroundings: events in, effects obeyed. The live daemon, a dry-run and the simulation build it from other
 * ports; it does not know which.
 */
export class Core {
  readonly facts = new PollFacts();
  readonly telling: Telling;
  readonly bell: Bell;
  readonly gate: StartGate;
  readonly looks: Reconciler;
  readonly troubles: Troubles;
  readonly lookout: Lookout;
  /** When the account's orders were last looked at; undefined before the first look. */
  lastLookAt: number | undefined;
  /** Tells the engine of other accounts, and has it worked on before it returns. */
  readonly hear = (event: Extract<Posted, { type: 'turn' | 'elsewhere' }>): void => this.#attempt(() => this.#loop.post(event));
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
  readonly #ruleChange: RuleChange;
  readonly #lowBalance: LowBalance | undefined;
  readonly #shadows: Shadowing | undefined;
  readonly #references: References | undefined;
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
    this.bell = bell;
    const troubles = new Troubles(bell, clock);
    this.troubles = troubles;
    this.#journal = journal;
    this.lookout = new Lookout({ clock, bell, ledger, journal, post, state: () => this.state });
    const state = stateFrom(options, (purchase) => {
      this.telling.know(purchase);
      this.lookout.know(purchase);
    });
    this.#loop = new EngineLoop(state, clock, (effect) => this.#obedience.obey(effect), witnessOf(options));
    this.#opening = new Opening({ clock, log, state: () => this.state });
    const onOpen = (): void => this.#opening.passed();
    this.gate = new StartGate({ clock, post, newestRowAt, onOpen, onClock: (wrong) => troubles.clock(wrong) });
    this.#lowBalance = live && new LowBalance({ clock, bell, lowBalance: options.lowBalance, state: () => this.state });
    this.#vigil = new Vigil({ ...options, bell, post, facts: this.facts });
    const { gate, facts, telling } = this;
    this.#firstLook = new FirstLook({ clock, ledger, gate, lookAgain: () => this.looks.soon() });
    const onAnswerEnded = (): void => this.#ruleChange.answerEnded();
    const onAccount = (): void => this.#accountIsOurs();
    this.#hearing = new Hearing({ ...options, journal, post, bell, gate, facts, onAccount, onAnswerEnded });
    this.#ruleChange = new RuleChange({ clock, post, heard: this.#hearing });
    const onDefect = (error: unknown): void => this.#defect(error);
    this.#shadows = options.shadows && new Shadowing({ ...options, settings: options.shadows, journal, telling, onDefect });
    const guard = (work: () => void): void => this.#attempt(work);
    const ofPrices = { clock, bell, ledger, post, guard, facts, gate, journal, shelf: this.#hearing.shelf };
    this.#references = options.reference && new References({ ...options.reference, ...ofPrices });
    const told = tellAll({
      shadows: this.#shadows,
      ...{ clock, ledger, tape: options.tape, telling: this.telling, lookout: this.lookout, journal, bell, post },
      looks: () => this.looks,
      obedience: () => this.#obedience,
      outside: () => this.#outside,
    });
    this.looks = this.#reconciler(told, post);
    const limits = (): Rules['limits'] => this.state.rules.limits;
    this.#buyer = live?.buyer(told, limits);
    this.#pump = live && new PermitPump(live.permits, (event) => this.#attempt(() => post(event)));
    const byHand = new ByHand({
      ...options,
      ...{ journal, hearing: this.#hearing, facts, post, lane: live ? 'live' : 'paper' },
      look: () => this.#look(),
      audit: () => this.#audit(),
      stopped: () => this.#signal.aborted,
    });
    const means = this.#buyer && this.#pump && { buyer: this.#buyer, pump: this.#pump };
    const obeyed = { ...options, onDefect, journal, bell, telling, byHand, means, paper: options.paper(told, limits) };
    this.#obedience = new Obedience(obeyed);
    this.#told = told;
    this.#outside = this.#outsideOf(told, byHand);
  }

  /** What the engine knows now: to be looked at, never to be changed. */
  get state(): Readonly<EngineState> {
    return this.#loop.state;
  }

  /** Purchases on paper that are to be checked again. */
  get unchecked(): number {
    return this.#shadows?.open ?? 0;
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
    this.#references?.start(signal);
    const health = this.#options.rules.health.require !== 'off';
    const alone = this.#options.market === undefined;
    const service = this.#shadows?.start({ listings: this.#polling && alone, health: health && alone }) ?? this.#options.service;
    const heard = watching({ ...this.#options, service, health, onceAfter, costMax: () => costMaxOf(this.state.rules) });
    const hearing = heard.subscribe((each) => this.#attempt(() => this.#hearing.hear(each)));
    until(signal, hearing);
    this.#outside.start(signal);
    this.#pump?.start(signal).catch((error: unknown) => this.#defect(error));
    this.usual();
  }

  /** No new purchase starts; those in flight get some seconds. */
  async finish(): Promise<void> {
    const detail = 'Magpie is being stopped';
    this.#attempt(() => this.#loop.post({ type: 'blocked', name: 'stopping', refusal: { reason: 'stopping', detail } }));
    await this.#buyer?.stop();
    await this.looks.finished();
    this.#obedience.lastHalt();
    this.#shadows?.stop();
    this.telling.flush();
  }

  /** Puts other rules in force between two answers; what is under way stays what it is. */
  reload(rules: Rules): void {
    this.#attempt(() => this.#ruleChange.offer(rules));
  }

  /** What passes with time alone: matches that waited too long, a halt that could not be written. */
  tick(): void {
    this.#attempt(() => {
      if (!this.#orphansSettled) this.#settleOrphans();
      this.#health.note(this.state, this.#options.clock.now());
      this.#vigil.tick(this.#polling);
      this.#firstLook.tick();
      this.lookout.tick();
      this.#lowBalance?.tick();
      this.#references?.tick();
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
    if (!this.#looking) this.looks.start(this.#signal);
    this.#looking = true;
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
      ...{ haltWaits: () => this.#obedience.haltWaits, journalFails: () => this.#journal.failing !== undefined },
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
