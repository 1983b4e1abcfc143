import { type Profiler, type Runtime, Session } from 'node:inspector/promises';
import { fileURLToPath } from 'node:url';

/** Where the processor was. Milliseconds. */
export interface Profile {
  readonly totalMs: number;
  /** Files of ours, each with what it called of packages and of the engine; what nobody of ours called stands by itself. */
  readonly files: readonly Share[];
  /** Functions, each with its own time alone. */
  readonly functions: readonly Share[];
}

/** A whole run, and of it what lay on the way from the bytes to the POST. */
export interface Profiles {
  readonly whole: Profile;
  readonly hot: Profile;
}

interface Share {
  readonly name: string;
  readonly ms: number;
}

/** A stretch of time in microseconds of the monotonic clock, which is the profiler's as well. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/**
 * In a process that may be looked into: profiles itself from `start` to `stop` and then sends what it found, as a whole and for the
 * stretches that are hot.
 */
export function answerProfiling(hot: () => readonly Stretch[]): void {
  const session = new Session();
  process.on('message', (message) => {
    if (message === 'profile:start') void begin(session);
    if (message !== 'profile:stop') return;
    void session.post('Profiler.stop').then(({ profile }) => {
      process.send?.({ whole: summary(profile), hot: summary(profile, hot()) } satisfies Profiles);
    });
  });
}

async function begin(session: Session): Promise<void> {
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval: 200 });
  await session.post('Profiler.start');
  process.send?.('profile:started');
}

/** Adds a profile up, or the given stretches of it. What waits is left out, and so is the profiler's own work. */
export function summary(profile: Profiler.Profile, stretches?: readonly Stretch[]): Profile {
  const { nodes, samples = [], timeDeltas = [], startTime } = profile;
  const left = below(nodes, 'node:inspector');
  const byId = new Map(nodes.filter(({ id }) => !left.has(id)).map((node) => [node.id, node]));
  const owners = ownersOf(nodes);
  const files = new Map<string, number>();
  const functions = new Map<string, number>();
  let [now, totalMs] = [startTime, 0];
  for (const [at, id] of samples.entries()) {
    const delta = timeDeltas[at] ?? 0;
    now += delta;
    const frame = byId.get(id)?.callFrame;
    if (frame === undefined || frame.functionName === '(idle)' || frame.functionName === '(root)') continue;
    if (stretches !== undefined && !stretches.some(({ from, to }) => now >= from && now <= to)) continue;
    const ms = delta / 1_000;
    totalMs += ms;
    const module = moduleOf(frame);
    const name = module === frame.functionName ? module : `${frame.functionName || '(anonymous)'} in ${module}`;
    add(functions, name, ms);
    add(files, owners.get(id) ?? module, ms);
  }
  return { totalMs, files: largest(files), functions: largest(functions) };
}

function add(shares: Map<string, number>, name: string, ms: number): void {
  shares.set(name, (shares.get(name) ?? 0) + ms);
}

/** For each node the file of ours that is nearest above it, or its own. */
function ownersOf(nodes: readonly Profiler.ProfileNode[]): ReadonlyMap<number, string> {
  const owners = new Map<number, string>();
  // Parents stand before their children.
  for (const { id, callFrame, children = [] } of nodes) {
    const module = moduleOf(callFrame);
    const owner = module.startsWith('src/') ? module : owners.get(id);
    if (owner === undefined) continue;
    owners.set(id, owner);
    for (const child of children) owners.set(child, owner);
  }
  return owners;
}

/** The nodes of a module and all that it called. */
function below(nodes: readonly Profiler.ProfileNode[], url: string): ReadonlySet<number> {
  const found = new Set<number>();
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const rest = nodes.filter(({ callFrame }) => callFrame.url.startsWith(url)).map(({ id }) => id);
  for (let id = rest.pop(); id !== undefined; id = rest.pop()) {
    found.add(id);
    rest.push(...(byId.get(id)?.children ?? []));
  }
  return found;
}

/** Our file from the top of the repository, a package's name, `node:…`, or what the engine calls its own work. */
function moduleOf({ url, functionName }: Runtime.CallFrame): string {
  if (url === '') return functionName.startsWith('(') ? functionName : 'native';
  const path = url.startsWith('file:') ? fileURLToPath(url) : url;
  const packaged = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1];
  return packaged ?? (path.startsWith(ROOT) ? path.slice(ROOT.length) : path);
}

function largest(shares: ReadonlyMap<string, number>): Share[] {
  return [...shares].map(([name, ms]) => ({ name, ms })).sort((a, b) => b.ms - a.ms);
}
