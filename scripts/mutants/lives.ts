import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

export interface Caught {
  readonly seed: number;
  readonly check: string;
  readonly detail: string;
}

export interface Lived {
  readonly caught: Caught | undefined;
  readonly seconds: number;
}

/** As the simulation tells of a violation. */
const violation = /^seed (\d+): ([\w-]+): (.*)$/;

/** Lives of seeds in a copy of the project until one of them shows a violation. Throws when the simulation itself does not run. */
export async function livesOf(folder: string, from: number, seeds: number, workers: number): Promise<Lived> {
  const beganAt = performance.now();
  const args = ['tsx', 'test/simulation/cli.ts', '--seeds', String(seeds), '--from', String(from), '--workers', String(workers)];
  // A group of its own: its workers end with it.
  const child = spawn('npx', args, { cwd: folder, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  let trouble = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (trouble = (trouble + text).slice(-4_000)));
  const ended = new Promise<number | null>((resolve) => void child.on('close', resolve));
  const caught = await new Promise<Caught | undefined>((resolve) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const [, seed, check, detail] = violation.exec(line) ?? [];
      if (check !== undefined) resolve({ seed: Number(seed), check, detail: detail ?? '' });
    });
    void ended.then(() => resolve(undefined));
  });
  endGroup(child.pid);
  const code = await ended;
  const seconds = (performance.now() - beganAt) / 1_000;
  // Kinds of faults that never struck fail a short run as well: that is its last word, not a trouble of its own.
  if (caught === undefined && code !== 0 && code !== 1) throw new Error(`the simulation ended with ${String(code)}:\n${trouble}`);
  if (caught === undefined && /a worker ended with/.test(trouble)) throw new Error(trouble);
  return { caught, seconds };
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}
