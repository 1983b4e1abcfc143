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

/**
 * Does something long with a database on a thread and a connection of its own, beside whoever has it open; resolves with what SQLite
 * said, a row a text. Rejects with an error that bears SQLite's code, also when the signal is aborted: the thread then ends when
 * SQLite returns.
 */
export function aside(task: AsideTask, signal?: AbortSignal): Promise<readonly string[]> {
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
