// What takes long with a whole ledger, on a thread and a connection of its own: whoever watches the market waits for none of it.
// No TypeScript, since a thread begins with a file that Node.js runs as it is.
import { parentPort, workerData } from 'node:worker_threads';
import Database from 'better-sqlite3';

/** How long another program's lock is waited for, in milliseconds. */
const BUSY_MS = 5_000;

/**
 * @param {import('./aside.ts').AsideTask} task
 * @returns {readonly string[]}
 */
function done(task) {
  const db = new Database(task.path, { readonly: true, fileMustExist: true, timeout: BUSY_MS });
  try {
    db.pragma('trusted_schema = OFF');
    db.pragma('cell_size_check = ON');
    if (task.name === 'check') return db.prepare('PRAGMA quick_check(3)').pluck().all().map(String);
    db.prepare('VACUUM INTO ?').run(task.target);
    return [];
  } finally {
    db.close();
  }
}

/** @returns {import('./aside.ts').AsideAnswer} */
function answer() {
  try {
    return { ok: true, said: done(/** @type {import('./aside.ts').AsideTask} */ (workerData)) };
  } catch (error) {
    const { code = '', message = String(error) } = /** @type {{ code?: string, message?: string }} */ (error);
    return { ok: false, code, message };
  }
}

parentPort?.postMessage(answer(), []);
