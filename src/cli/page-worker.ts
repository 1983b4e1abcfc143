import { Worker } from 'node:worker_threads';
import type { PageOrder, PageThread, PageWord } from './page-words.ts';

/** More than a month of answers needs; a page that needs more ends alone. */
const MEMORY_MB_MAX = 384;

/** Begins the thread that serves the page; the program is the built one. */
export function pageThread(order: PageOrder): PageThread {
  const worker = new Worker(new URL('./page-thread.js', import.meta.url), {
    workerData: order,
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB_MAX },
  });
  // The process ends when the daemon has ended, whether or not somebody looks on.
  worker.unref();
  let told = 'it ended by itself';
  worker.on('error', (error) => (told = error instanceof Error ? error.message : String(error)));
  return {
    onWord: (work) => void worker.on('message', (word: PageWord) => work(word)),
    onEnd: (work) => void worker.once('exit', () => work(told)),
    stop: () => worker.postMessage('stop', []),
  };
}
