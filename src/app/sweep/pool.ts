import { Tinypool } from 'tinypool';
import type { VariantResult } from '../../replay/sweep/part.ts';
import { type SweepWork, VariantStudies, type VariantTask } from './variant-study.ts';

/** Tries variants, several at a time where it has several threads. */
export interface VariantPool {
  /** Rejects once the pool is closed, and where a thread ends before it is done; in this thread, once the signal is aborted. */
  run(task: VariantTask, signal: AbortSignal): Promise<VariantResult>;
  close(): Promise<void>;
}

/** Makes a pool of so many threads. */
export type MakePool = (work: SweepWork, threads: number) => VariantPool;

/** Threads of their own; `worker` is the built one. */
export function threadPool(work: SweepWork, threads: number, worker = new URL('./worker.js', import.meta.url)): VariantPool {
  const pool = new Tinypool({
    filename: worker.href,
    name: 'tried',
    minThreads: threads,
    maxThreads: threads,
    workerData: work,
    env: {},
    execArgv: [],
  });
  return {
    run: (task) => pool.run(task) as Promise<VariantResult>,
    close: () => pool.destroy(),
  };
}

/** In this very thread, one after the other: where there are no others. */
export function ownThread(work: SweepWork): VariantPool {
  const studies = new VariantStudies(work);
  return {
    run: async (task, signal) => {
      // Whoever wants to stop it gets a turn.
      await new Promise((resolve) => setImmediate(resolve));
      signal.throwIfAborted();
      return studies.of(task);
    },
    close: () => Promise.resolve(),
  };
}
