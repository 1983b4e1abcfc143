import { type Audit, auditEnd, auditHistory } from './audit/audit.ts';
import { journalText } from './audit/rows.ts';
import { forbidAmbient } from './ambient.ts';
import { Person } from './person.ts';
import { patienceOf } from './pace.ts';
import type { Plan } from './plan.ts';
import { type Violation, violation } from './violation.ts';
import { BEGIN, World } from './world.ts';

export interface LifeResult {
  readonly plan: Plan;
  readonly violations: readonly Violation[];
  /** How often each fault struck: of the exchange, the network, the process. */
  readonly struck: Readonly<Record<string, number>>;
  /** Market time that was lived, milliseconds. */
  readonly livedMs: number;
  readonly posts: number;
  /** Those of them that left while an answer of the live listings still arrived. */
  readonly early: number;
  readonly accepted: number;
  readonly boots: number;
  /** Purchases by their state in the end. */
  readonly states: Readonly<Record<string, number>>;
  readonly tripped: readonly { readonly reason: string; readonly by: string }[];
  readonly events: number;
  /** Of the journal and of everything that was said. */
  readonly hash: string;
  /** What happened to one listing or purchase, line by line. */
  timeline(about: Pick<Violation, 'listing' | 'purchaseId'>): readonly string[];
}

const MINUTE = 60_000;
const DOLLAR = 1_000_000;
/** Micro-dollars for which each market has something. */
const ENOUGH = 10 * DOLLAR;
/** How long buying may take to go on once faults are over: an unknown may need half an hour of quiet, blind four times as much. */
const RESUME_MS = 50 * MINUTE;
const RESUME_BLIND_MS = 150 * MINUTE;
/** How long everything may take to resolve then; quiet time counts at a quarter while nobody asks for the market's health. */
const RESOLVE_MS = 60 * MINUTE;
const RESOLVE_BLIND_MS = 170 * MINUTE;
/** Beyond our assumptions nothing need resolve; what is known by then is what is looked at. */
const RESOLVE_BEYOND_MS = 15 * MINUTE;
/** What each step of patience adds to that: orders take as much longer. */
const PATIENCE_MS = 20 * MINUTE;
const STEP_MS = MINUTE;

/** Lives one plan to its end and audits it. Nothing in it is random but by the plan's seed. */
export async function live(plan: Plan): Promise<LifeResult> {
  const restore = forbidAmbient();
  const world = new World(plan);
  const restoreRejections = hearRejections(world);
  try {
    const person = new Person(world);
    world.begin();
    person.begin(plan);
    await world.time.run(BEGIN + plan.minutes * MINUTE);
    const liveness = await heal(world, person);
    await end(world);
    return result(world, person, liveness);
  } finally {
    restoreRejections();
    world.dispose();
    restore();
  }
}

/** Faults are over: buying must go on, and then everything must resolve. */
async function heal(world: World, person: Person): Promise<readonly Violation[]> {
  const found: Violation[] = [];
  world.heal();
  person.giveRoom();
  person.resumeNow();
  const boughtBefore = acceptedCount(world);
  const lastBefore = world.newestPurchase();
  await catchUp(world);
  const healedAt = world.now;
  const buysAgain = (): boolean => acceptedCount(world) > boughtBefore;
  const goesOn = (): boolean => buysAgain() && inDoubt(world, lastBefore) === 0;
  const patience = patienceOf(world.plan);
  while (!goesOn() && world.now - healedAt < resumeWithin(world.plan, acceptedCount(world) === 0))
    await world.time.run(world.now + STEP_MS * patience);
  if (acceptedCount(world) === 0) found.push(violation('vacuous', `nothing was bought: ${world.storage.read(whyNot)}`));
  // Where an assumption was broken, what stays unknown may keep buying closed until somebody has looked.
  if (world.plan.kind === 'safety' && !buysAgain() && hasMoney(world))
    found.push(violation('stuck', `faults are over, there is room, and nothing is bought: ${world.storage.read(whyNot)}`));
  if (world.rules.isWaiting) found.push(violation('reload', 'what was saved while it ran was never taken'));
  person.haltForGood();
  const haltedAt = world.now;
  const resolveMs = resolveWithin(world.plan);
  while (!isSettled(world) && world.now - haltedAt < resolveMs) await world.time.run(world.now + STEP_MS * patience);
  return found;
}

/** Beyond our assumptions too something must have been bought: a life in which the first purchase stays in doubt goes on. */
function resumeWithin(plan: Plan, isVacuous: boolean): number {
  if (plan.kind === 'beyond' && !isVacuous) return RESOLVE_BEYOND_MS;
  return (plan.bot.require === 'off' ? RESUME_BLIND_MS : RESUME_MS) + (patienceOf(plan) - 1) * PATIENCE_MS;
}

function resolveWithin(plan: Plan): number {
  if (plan.kind === 'beyond') return RESOLVE_BEYOND_MS;
  return (plan.bot.require === 'off' ? RESOLVE_BLIND_MS : RESOLVE_MS) + (patienceOf(plan) - 1) * PATIENCE_MS;
}

/** Rows that a clock gone fast has dated ahead keep buying closed until the time has come. */
async function catchUp(world: World): Promise<void> {
  const [row] = world.storage.exists
    ? world.storage.rows<{ at: number | null }>('SELECT max(updated_at) AS at FROM purchases')
    : [];
  await world.time.run(Math.max(world.now, row?.at ?? 0));
}

function isSettled(world: World): boolean {
  const { violations, pending } = auditEnd(world);
  return violations.length === 0 && pending === 0;
}

/** Beyond its reserve, and beyond what is in doubt, the account holds enough for some of what is offered. */
function hasMoney(world: World): boolean {
  const [doubtful] = world.storage.rows<{ cost: number | null }>(
    "SELECT sum(cost) AS cost FROM purchases WHERE lane = 'live' AND (state IN ('intended', 'unknown') OR held = 1)",
  );
  const balance = world.books().accounts.find(({ kind }) => kind === 'child')?.balance ?? 0;
  return balance - world.plan.bot.limits.reserve * DOLLAR - (doubtful?.cost ?? 0) >= ENOUGH;
}

/** How many up to that one nobody can say the outcome of. */
function inDoubt(world: World, lastId: number): number {
  if (!world.storage.exists) return 1;
  const [row] = world.storage.rows<{ count: number }>(
    "SELECT count(*) AS count FROM purchases WHERE (state IN ('intended', 'unknown') OR held = 1) AND id <= ?",
    lastId,
  );
  return row?.count ?? 1;
}

/** The process is stopped as a person stops it. */
async function end(world: World): Promise<void> {
  const stopped = world.stop(undefined);
  await world.time.run(world.now + MINUTE);
  await stopped;
}

function acceptedCount(world: World): number {
  return world.sandbox.books().orders.filter(({ origin }) => origin === 'ours').length;
}

function whyNot(db: Parameters<Parameters<World['storage']['read']>[0]>[0]): string {
  return db
    .prepare<[], { reason: string; count: number }>(
      "SELECT reason, count(*) AS count FROM decisions WHERE lane = 'live' AND reason IS NOT NULL GROUP BY reason ORDER BY count DESC LIMIT 5",
    )
    .all()
    .map(({ reason, count }) => `${reason} ${count}`)
    .join(', ');
}

function result(world: World, person: Person, liveness: readonly Violation[]): LifeResult {
  const { plan, door, boots, time } = world;
  const ended: Audit = auditEnd(world);
  const history = auditHistory(world);
  const books = world.sandbox.books();
  const struck: Record<string, number> = { ...books.faults };
  for (const [name, count] of [...world.network.struck, ...world.mortality.struck]) struck[name] = count;
  return {
    plan,
    violations: [...world.violations, ...liveness, ...history.violations, ...ended.violations, ...falseHalts(plan, person)],
    struck,
    livedMs: world.now - BEGIN,
    posts: door.posts.length,
    early: door.posts.filter(({ early }) => early).length,
    accepted: acceptedCount(world),
    boots,
    states: ended.states,
    tripped: person.tripped,
    events: time.events,
    hash: world.log.digest([JSON.stringify(books.events), world.storage.read(journalText)]),
    timeline: ended.timeline,
  };
}

/** Within our assumptions nothing that evidence or an answer shows may halt buying. */
function falseHalts(plan: Plan, person: Person): Violation[] {
  if (plan.kind === 'beyond') return [];
  return person.tripped
    .filter(({ by }) => by === 'evidence' || by === 'outcome')
    .map(({ at, reason }) => violation('false-halt', reason, { at }));
}

/** Rejections that nobody listens to would end a real process; those of a dead one are its last words. */
export function hearRejections(world: { rejected(error: unknown): void }): () => void {
  const others = process.listeners('unhandledRejection');
  process.removeAllListeners('unhandledRejection');
  process.on('unhandledRejection', (error) => world.rejected(error));
  return () => {
    process.removeAllListeners('unhandledRejection');
    for (const other of others) process.on('unhandledRejection', other);
  };
}
