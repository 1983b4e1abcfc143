import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const ours = [join(root, 'src'), join(root, 'test', 'simulation')];

/** What a life must not touch, since it would answer differently each time. */
const timers = ['setTimeout', 'setInterval', 'fetch'] as const;

/**
 * While a life runs, code of this project that reaches for the real time, timers, randomness or network gets an error instead.
 * What the test runner does meanwhile on its own behalf is left alone. Returns how to put everything back.
 */
export function forbidAmbient(): () => void {
  const restore: (() => void)[] = [];
  const replace = (owner: object, name: string, make: (real: (...given: unknown[]) => unknown) => unknown): void => {
    const before = Object.getOwnPropertyDescriptor(owner, name);
    const real = Reflect.get(owner, name) as (...given: unknown[]) => unknown;
    Object.defineProperty(owner, name, { configurable: true, writable: true, value: make(real) });
    restore.push(() => {
      if (before === undefined) Reflect.deleteProperty(owner, name);
      else Object.defineProperty(owner, name, before);
    });
  };
  const guarded = (owner: object, name: string): void =>
    replace(
      owner,
      name,
      (real) =>
        function (this: unknown, ...given: unknown[]): unknown {
          refuseOurs(name);
          return Reflect.apply(real, this, given);
        },
    );
  for (const name of timers) guarded(globalThis, name);
  guarded(Math, 'random');
  guarded(performance, 'now');
  replace(
    globalThis,
    'Date',
    (real) =>
      new Proxy(real, {
        construct: (target, given, newTarget): object => {
          if (given.length === 0) refuseOurs('new Date');
          return Reflect.construct(target, given, newTarget) as object;
        },
        get: (target, key): unknown => {
          if (key === 'now') refuseOurs('Date.now');
          return Reflect.get(target, key);
        },
      }),
  );
  return () => {
    for (const undo of restore.reverse()) undo();
  };
}

function refuseOurs(name: string): void {
  // The first two frames are this file's own.
  const callers = (new Error('ambient').stack ?? '').split('\n').slice(3).join('\n');
  if (ours.some((folder) => callers.includes(folder)))
    throw new Error(`${name} in a simulated life: it must come as an argument`);
}
