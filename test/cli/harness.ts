import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type Outlet, type SignalName, createIo } from '../../src/cli/io.ts';
import { runProgram } from '../../src/cli/program.ts';
import type { Clock } from '../../src/domain/clock.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { VirtualClock } from '../support/virtual-clock.ts';
import { freshLedger } from '../ledger/support.ts';

export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export interface Given {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly clock?: Clock;
  /** Of the terminal on both streams; left out: they are no terminal. */
  readonly columns?: number;
  readonly signals?: Signals;
  readonly parent?: () => number;
  /** What a person answers, one after the other; then they go away. */
  readonly answers?: readonly string[];
  /** Standard input. */
  readonly input?: string;
}

/** Signals that a test sends to a command. */
export class Signals {
  readonly #listeners = new Map<SignalName, Set<() => void>>();

  on(name: SignalName, work: () => void): () => void {
    const own = this.#listeners.get(name) ?? new Set();
    this.#listeners.set(name, own.add(work));
    return () => void own.delete(work);
  }

  send(name: SignalName): void {
    for (const work of this.#listeners.get(name) ?? []) work();
  }
}

/** Runs a command line in this process. */
export async function magpie(args: readonly string[], given: Given): Promise<Ran> {
  const { cwd, env = {}, clock = new VirtualClock(), columns, signals = new Signals(), parent, answers, input } = given;
  const told = { out: '', err: '' };
  const outlet = (name: 'out' | 'err'): Outlet => ({
    write: (text) => void (told[name] += text),
    isTerminal: columns !== undefined,
    columns,
  });
  const onSignal = (name: SignalName, work: () => void): (() => void) => signals.on(name, work);
  const left = [...(answers ?? [])];
  const ask = answers && ((question: string) => ((told.out += question), Promise.resolve(left.shift())));
  const io = createIo({
    stdout: outlet('out'),
    stderr: outlet('err'),
    env,
    cwd,
    clock,
    onSignal,
    parent,
    ask,
    input: input === undefined ? undefined : () => input,
  });
  const code = await runProgram(args, io);
  return { code, ...told };
}

/** The shortest configuration that is live, on play money, with its data in `data`. */
export const onPlayMoney = `service: { sandbox: { seed: 7, listings: 50 } }
limits: { maxPrice: 150, spend: { hour: 200, day: 500 }, perItem: { day: 2 } }
strategies: ./strategies
mode: live
`;

export const redlines = `name: redlines
when: { name: "AK-47 | Redline*", wear: { below: 0.3 } }
price: { max: 20, maxOfSteam: 0.80 }
limits: { spend: { day: 50 } }
`;

/** A folder with a configuration `magpie.yaml`, one strategy, and whatever else; gone after the test. */
export function place(files: Readonly<Record<string, string>> = {}): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'magpie-cli-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const all = { 'magpie.yaml': onPlayMoney, 'strategies/redlines.yaml': redlines, ...files };
  for (const [name, text] of Object.entries(all)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text, { mode: 0o600 });
  }
  return folder;
}

/** The ledger of such a folder, with an account and a balance of $1,000. */
export function ledgerAt(folder: string): Ledger {
  return freshLedger(join(folder, 'data'));
}
