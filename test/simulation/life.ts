import { type Audit, auditEnd, auditHistory } from './audit/audit.ts';
import { forbidAmbient } from './ambient.ts';
import { Person } from './person.ts';
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
/** How long buying may take to go on once faults are over: an unknown may need half an hour of quiet. */
const RESUME_MS = 50 * MINUTE;
/** How long everything may take to resolve then. */
const RESOLVE_MS = 70 * MINUTE;
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
  person.resumeNow();
  const healedAt = world.now;
  const boughtBefore = acceptedCount(world);
  const goesOn = (): boolean => acceptedCount(world) > boughtBefore && auditEnd(world, 'settling').pending === 0;
  while (!goesOn() && world.now - healedAt < RESUME_MS) await world.time.run(world.now + STEP_MS);
  if (acceptedCount(world) === 0) found.push(violation('vacuous', `nothing was bought: ${world.storage.read(whyNot)}`));
  person.haltForGood();
  const haltedAt = world.now;
  while (!isSettled(world) && world.now - haltedAt < RESOLVE_MS) await world.time.run(world.now + STEP_MS);
  return found;
}

function isSettled(world: World): boolean {
  const { violations, pending } = auditEnd(world, 'settling');
  return violations.length === 0 && pending === 0;
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
  const ended: Audit = auditEnd(world, 'final');
  const history = auditHistory(world);
  const books = world.sandbox.books();
  const struck: Record<string, number> = { ...books.faults };
  for (const [name, count] of [...world.network.struck, ...world.mortality.struck]) struck[name] = count;
  const { plan, door, boots, time } = world;
  return {
    plan,
    violations: [...world.violations, ...liveness, ...history.violations, ...ended.violations],
    struck,
    livedMs: world.now - BEGIN,
    posts: door.posts.length,
    accepted: acceptedCount(world),
    boots,
    states: ended.states,
    tripped: person.tripped,
    events: time.events,
    hash: world.log.digest([JSON.stringify(books.events), ended.journal]),
    timeline: ended.timeline,
  };
}

/** Rejections that nobody listens to would end a real process; those of a dead one are its last words. */
function hearRejections(world: World): () => void {
  const others = process.listeners('unhandledRejection');
  process.removeAllListeners('unhandledRejection');
  process.on('unhandledRejection', (error) => world.rejected(error));
  return () => {
    process.removeAllListeners('unhandledRejection');
    for (const other of others) process.on('unhandledRejection', other);
  };
}
