import { Worker } from 'node:worker_threads';

/** `copy`: a whole, consistent copy into `target`, an empty file. `check`: `quick_check`. */
export type AsideTask =
  | { readonly name: 'copy'; readonly path: string; readonly target: string }
  | { readonly name: 'check'; readonly path: string };

/** What the thread sends back. */
export type AsideAnswer =
  | { readonly ok: true; readonly said: readonly string[] }
  | { readonly ok: false; readonly code: string; readonly message: string };

/** The failure of a task, with SQLite's code where it has one. */
class AsideFailure extends Error {
  override readonly name = 'AsideFailure';
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** A thread takes some ten megabytes, and a thousand accounts that were started together all want a backup in the same minute. */
const THREADS_MAX = 2;
let threads = 0;
const waiting = new Set<() => void>();

/**
 * Does something long with a database on a thread and a connection of its own, beside whoever has it open; resolves with what SQLite
 * said, a row a text. Rejects with an error that bears SQLite's code, also when the signal is aborted: the thread then ends when
 * SQLite returns. Of many tasks two are done at once, in the order in which they came.
 */
export async function aside(task: AsideTask, signal?: AbortSignal): Promise<readonly string[]> {
  await turn(signal);
  try {
    return await onThread(task, signal);
  } finally {
    threads -= 1;
    const [next] = waiting;
    next?.();
  }
}

/** Resolves when there may be one thread more, which then counts. */
function turn(signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = (): void => {
      waiting.delete(go);
      signal?.removeEventListener('abort', stop);
    };
    const go = (): void => {
      leave();
      threads += 1;
      resolve();
    };
    const stop = (): void => {
      leave();
      reject(stopped());
    };
    if (signal?.aborted) return stop();
    if (threads < THREADS_MAX) return go();
    waiting.add(go);
    signal?.addEventListener('abort', stop, { once: true });
  });
}

function onThread(task: AsideTask, signal: AbortSignal | undefined): Promise<readonly string[]> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(stopped());
    const worker = new Worker(new URL('./aside.mjs', import.meta.url), { workerData: task, execArgv: [], env: {} });
    const stop = (): void => {
      void worker.terminate();
      reject(stopped());
    };
    signal?.addEventListener('abort', stop, { once: true });
    worker.on('message', (answer: AsideAnswer) =>
      answer.ok ? resolve(answer.said) : reject(new AsideFailure(answer.code, answer.message)),
    );
    worker.on('error', reject);
    worker.on('exit', () => {
      signal?.removeEventListener('abort', stop);
      reject(new AsideFailure('', 'it ended before it was done'));
    });
  });
}

function stopped(): AsideFailure {
  return new AsideFailure('', 'Magpie is being stopped');
}
