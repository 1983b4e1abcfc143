import type { Io, SignalName } from './io.ts';

export interface StopSignals {
  /** The first signal that asked to stop. */
  readonly first: Promise<SignalName>;
  /** Somebody does not want to wait. */
  readonly second: Promise<SignalName>;
  /** Stops listening. */
  off(): void;
}

const names = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Listens for what asks a program to stop, `except` what means something else to it. Begin before anything is told or started: a signal in between would kill the process. */
export function stopSignals({ onSignal }: Pick<Io, 'onSignal'>, except: readonly SignalName[] = []): StopSignals {
  const waiting: ((name: SignalName) => void)[] = [];
  const first = new Promise<SignalName>((resolve) => waiting.push(resolve));
  const second = new Promise<SignalName>((resolve) => waiting.push(resolve));
  const offs = names.filter((name) => !except.includes(name)).map((name) => onSignal(name, () => waiting.shift()?.(name)));
  return { first, second, off: () => offs.forEach((off) => off()) };
}
