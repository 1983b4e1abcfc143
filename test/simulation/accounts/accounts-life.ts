import { createHash } from 'node:crypto';
import { forbidAmbient } from '../ambient.ts';
import { auditEnd, auditHistory } from '../audit/audit.ts';
import { journalText } from '../audit/rows.ts';
import { hearRejections } from '../life.ts';
import { patienceOf } from '../pace.ts';
import { Person } from '../person.ts';
import { type Violation, violation } from '../violation.ts';
import { BEGIN } from '../world.ts';
import { comparable } from './account-books.ts';
import { boughtByTwo } from './among-them.ts';
import type { AccountsPlan, Aimed } from './plan.ts';
import { PlatformWorld } from './platform-world.ts';
import type { SimAccount } from './sim-account.ts';

const MINUTE = 60_000;
/** How long all go on once faults are over, before anybody looks at how the others have fared, at the usual pace. */
const CALM_MINUTES = 2;
/** Then nothing new is bought; how long what is open may take, as in lives of a single account. */
const RESOLVE_MS = 60 * MINUTE;
const PATIENCE_MS = 20 * MINUTE;

/** How one life of a plan went. */
interface OneLife {
  readonly violations: readonly Violation[];
  /** By the account's name: of its ledger, its orders, its requests and everything that it said. */
  readonly hashes: ReadonlyMap<string, string>;
  readonly struck: Readonly<Record<string, number>>;
  /** What befell all of them together, and how often. */
  readonly befell: Readonly<Record<string, number>>;
  readonly posts: number;
  readonly purchases: number;
  readonly purchasesOfOthers: number;
  readonly livedMs: number;
  /** Starts of accounts beyond the first of each. */
  readonly restarts: number;
}

export interface AccountsResult {
  readonly plan: AccountsPlan;
  readonly violations: readonly Violation[];
  readonly struck: Readonly<Record<string, number>>;
  /** What befell all of them together, in all lives; empty where nothing was to. */
  readonly befell: Readonly<Record<string, number>>;
  /** How often it was lived: once without what is aimed, and once with each. */
  readonly lives: number;
  readonly posts: number;
  readonly purchases: number;
  readonly livedMs: number;
  readonly restarts: number;
  /** Accounts that nothing was aimed at, held against the life without faults: so many had to fare the same to the byte. */
  readonly compared: number;
  /** … and so many did. */
  readonly same: number;
  /** Of all accounts in all lives. */
  readonly hash: string;
}

/** Lives a plan without faults and with each that is aimed at one account, and holds the lives against each other; each is audited by itself. */
export async function liveBoth(plan: AccountsPlan): Promise<AccountsResult> {
  const calm = await liveOnce(plan, undefined);
  const struck: OneLife[] = [];
  for (const aimed of plan.aims) struck.push(await liveOnce(plan, aimed));
  const name = plan.accounts[plan.target]?.name ?? '';
  const others = plan.wishes === 'contested' ? [] : plan.accounts.map((account) => account.name).filter((each) => each !== name);
  const different = struck.flatMap(({ hashes }) => others.filter((each) => calm.hashes.get(each) !== hashes.get(each)));
  const told = different.map((each) => violation('isolation', `${each} fared otherwise where ${name} was struck`));
  const all = [calm, ...struck];
  const sum = (of: (life: OneLife) => number): number => all.reduce((total, life) => total + of(life), 0);
  const compared = others.length * struck.length;
  return {
    ...{ plan, lives: all.length, compared, same: compared - different.length },
    violations: [...all.flatMap(({ violations }) => violations), ...told, ...vacuous(name, calm, struck)],
    struck: addedUp(struck.map((life) => life.struck)),
    befell: addedUp(all.map((life) => life.befell)),
    posts: sum(({ posts }) => posts),
    purchases: sum(({ purchases }) => purchases),
    livedMs: sum(({ livedMs }) => livedMs),
    restarts: sum(({ restarts }) => restarts),
    hash: createHash('sha256')
      .update(JSON.stringify(all.map(({ hashes }) => [...hashes])))
      .digest('hex'),
  };
}

function addedUp(all: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const counts of all) for (const [name, count] of Object.entries(counts)) sums[name] = (sums[name] ?? 0) + count;
  return sums;
}

/** A life in which nothing happens shows nothing. */
function vacuous(name: string, calm: OneLife, struck: readonly OneLife[]): Violation[] {
  const found: Violation[] = [];
  if (calm.purchasesOfOthers === 0) found.push(violation('vacuous', 'the others bought nothing'));
  if (struck.some(({ hashes }) => calm.hashes.get(name) === hashes.get(name)))
    found.push(violation('vacuous', `${name} was struck and fared the same`));
  return found;
}

async function liveOnce(plan: AccountsPlan, aimed: Aimed | undefined): Promise<OneLife> {
  const restore = forbidAmbient();
  const world = new PlatformWorld(plan, aimed);
  const restoreRejections = hearRejections(world);
  try {
    const people = world.accounts.map((account) => new Person(account));
    await world.begin();
    for (const [place, account] of world.accounts.entries()) people[place]?.begin(account.plan);
    await world.time.run(BEGIN + plan.minutes * MINUTE);
    world.heal();
    for (const person of people) {
      person.restoreRules();
      person.resumeNow();
    }
    await world.time.run(world.now + CALM_MINUTES * plan.pace * MINUTE);
    const hashes = new Map(world.accounts.map((account) => [account.name, hashOf(account)]));
    // How an account ends in quiet is a matter of lives in which something befell one.
    if (aimed !== undefined) await settle(world, people);
    const stopped = world.stop();
    await world.time.run(world.now + MINUTE);
    await stopped;
    return told(world, hashes, aimed !== undefined);
  } finally {
    restoreRejections();
    world.dispose();
    restore();
  }
}

/** Nothing new is bought, and what is open must resolve. */
async function settle(world: PlatformWorld, people: readonly Person[]): Promise<void> {
  for (const person of people) person.haltForGood();
  const haltedAt = world.now;
  const patience = patienceOf(world.plan);
  const within = RESOLVE_MS + (patience - 1) * PATIENCE_MS;
  let open = world.accounts;
  while ((open = open.filter((account) => !isSettled(account))).length > 0 && world.now - haltedAt < within)
    await world.time.run(world.now + MINUTE * patience);
}

function isSettled(account: SimAccount): boolean {
  const { violations, pending } = auditEnd(account);
  return violations.length === 0 && pending === 0;
}

function hashOf(account: SimAccount): string {
  const { storage, door, log } = account;
  const books = account.books();
  const posts = door.posts.map(({ at, market, listingId, price, outcomes }) => [at, market, listingId, price, outcomes]);
  const events = books.events.map(({ seq: _, ...event }) => event);
  const said = [
    storage.read(journalText),
    JSON.stringify([books.orders, events, books.accounts, posts]),
    JSON.stringify(log.lines),
  ];
  return createHash('sha256')
    .update(comparable(said.join('\n'), books))
    .digest('hex');
}

function told(world: PlatformWorld, hashes: ReadonlyMap<string, string>, isSettled: boolean): OneLife {
  const own = world.accounts.flatMap((account) => {
    const found = [
      ...account.violations,
      ...auditHistory(account).violations,
      ...(isSettled ? auditEnd(account).violations : []),
    ];
    return found.map((one) => ({ ...one, detail: `${account.name}: ${one.detail}` }));
  });
  const waiting = world.accounts.filter(({ rules }) => rules.isWaiting);
  const untaken = waiting.map(({ name }) => violation('reload', `${name}: what was saved while it ran was never taken`));
  const bought = (accounts: readonly SimAccount[]): number =>
    accounts.reduce((sum, account) => sum + account.books().orders.length, 0);
  return {
    violations: [...world.violations, ...own, ...untaken, ...boughtByTwo(world.accounts)],
    hashes,
    struck: struckIn(world),
    befell: befellIn(world),
    posts: world.accounts.reduce((sum, { door }) => sum + door.posts.length, 0),
    purchases: bought(world.accounts),
    purchasesOfOthers: bought(world.others),
    livedMs: world.now - BEGIN,
    restarts: world.accounts.reduce((sum, { boots }) => sum + boots - 1, 0),
  };
}

/** What was aimed and struck; what befalls everybody is none of it. */
function struckIn({ aim, target, sandbox }: PlatformWorld): Record<string, number> {
  if (aim === undefined) return {};
  const ofExchange = sandbox.books().faults;
  const ofRequests = Object.keys(aim.aimed.faults).map((name) => [name, ofExchange[name] ?? 0] as const);
  return Object.fromEntries([...ofRequests, ...aim.struck, ...target.network.struck, ...target.mortality.struck]);
}

/** Beside what is aimed: faults of the shared reader, ends of the process, rules of others saved anew. */
function befellIn({ plan, befell, struckReader, others }: PlatformWorld): Record<string, number> {
  if (plan.together === undefined) return {};
  const saved = others.reduce((sum, { mortality }) => sum + (mortality.struck.get('reload') ?? 0), 0);
  return { ...struckReader, ...Object.fromEntries(befell), reload: saved };
}
