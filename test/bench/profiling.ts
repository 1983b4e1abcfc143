import { type Profiler, Session } from 'node:inspector/promises';
import { fileURLToPath } from 'node:url';

/** Where the processor was, by module of ours or package, and by function. Milliseconds of self time. */
export interface Profile {
  readonly totalMs: number;
  readonly modules: readonly Share[];
  readonly functions: readonly Share[];
}

interface Share {
  readonly name: string;
  readonly ms: number;
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** In a process that may be looked into: profiles itself from `start` to `stop` and then sends what it found. */
export function answerProfiling(): void {
  const session = new Session();
  process.on('message', (message) => {
    if (message === 'profile:start') void begin(session);
    if (message === 'profile:stop') void session.post('Profiler.stop').then(({ profile }) => process.send?.(summary(profile)));
  });
}

async function begin(session: Session): Promise<void> {
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval: 200 });
  await session.post('Profiler.start');
  process.send?.('profile:started');
}

/** Self time of every node of a profile, added up. What waits is left out, and so is the profiler's own work. */
export function summary({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile): Profile {
  const byId = new Map(nodes.map((node) => [node.id, node.callFrame]));
  for (const id of below(nodes, 'node:inspector')) byId.delete(id);
  const modules = new Map<string, number>();
  const functions = new Map<string, number>();
  let totalMs = 0;
  for (const [at, id] of samples.entries()) {
    const frame = byId.get(id);
    const ms = (timeDeltas[at] ?? 0) / 1_000;
    if (frame === undefined || frame.functionName === '(idle)' || frame.functionName === '(root)') continue;
    totalMs += ms;
    const module = moduleOf(frame.url, frame.functionName);
    modules.set(module, (modules.get(module) ?? 0) + ms);
    const name = module === frame.functionName ? module : `${frame.functionName || '(anonymous)'} in ${module}`;
    functions.set(name, (functions.get(name) ?? 0) + ms);
  }
  return { totalMs, modules: largest(modules), functions: largest(functions) };
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
function moduleOf(url: string, functionName: string): string {
  if (url === '') return functionName.startsWith('(') ? functionName : 'native';
  const path = url.startsWith('file:') ? fileURLToPath(url) : url;
  const packaged = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1];
  return packaged ?? (path.startsWith(ROOT) ? path.slice(ROOT.length) : path);
}

function largest(shares: ReadonlyMap<string, number>): Share[] {
  return [...shares].map(([name, ms]) => ({ name, ms })).sort((a, b) => b.ms - a.ms);
}
