import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Random } from '../../src/domain/random.ts';
import { type Micros, micros } from '../../src/domain/money.ts';
import type { Reader } from '../../src/ledger/ledger.ts';
import { openReader } from '../../src/ledger/open.ts';
import type { Said } from './comparison.ts';
import type { PurchaseJson } from './purchase-json.ts';
import { type End, type Outcome, Running, magpie } from './programs.ts';

/** `magpie run` as a process that is killed and started again, with the commands of the same configuration beside it. */
export class DaemonProcess {
  readonly folder: string;
  readonly #env: Readonly<Record<string, string>>;
  #running: Running | undefined;
  readonly #ends: string[] = [];
  /** Those that have ended it. */
  kills = 0;
  starts = 0;

  /** `folder` holds the configuration, see `writeSetup`; what the daemon says is kept in magpie.log there. */
  constructor(folder: string, env: Readonly<Record<string, string>>) {
    this.folder = folder;
    // The locks of keys lie in the temporary folder: a run must leave nothing there and meet nobody.
    this.#env = { ...env, TMPDIR: folder, XDG_RUNTIME_DIR: folder, NO_COLOR: '1' };
  }

  get data(): string {
    return join(this.folder, 'data');
  }

  get isRunning(): boolean {
    return this.#running?.isRunning === true;
  }

  /** 0 when it does not run. */
  get pid(): number {
    return this.#running?.pid ?? 0;
  }

  get text(): string {
    return this.#running?.text ?? '';
  }

  /** In words, each time that it ended though nobody had ended it: it must never do so. */
  get endsByItself(): readonly string[] {
    return this.#ends;
  }

  start(): void {
    this.starts += 1;
    const surroundings = { cwd: this.folder, env: this.#env };
    const running = new Running(['run', '--config', 'magpie.yaml'], surroundings, (text) =>
      appendFileSync(join(this.folder, 'magpie.log'), text),
    );
    const start = this.starts;
    // Before anybody who waits for its end goes on.
    void running.ended.then(() => {
      const words = running.endedByItself;
      if (words !== undefined) this.#ends.push(`the daemon of start ${start} ${words}`);
      if (running.wasKilled) this.kills += 1;
    });
    this.#running = running;
  }

  /** As a power cut would, without a word. Returns whether that ended it: what was dead by then was not killed. */
  async kill(): Promise<boolean> {
    await this.#running?.end('SIGKILL');
    return this.#running?.wasKilled === true;
  }

  /** The same in this very moment; `kill` waits for its end. */
  strike(): void {
    this.#running?.strike('SIGKILL');
  }

  /** In order. */
  async stop(): Promise<End> {
    return (await this.#running?.end('SIGTERM')) ?? null;
  }

  /** A command of a person, with the daemon's own configuration. */
  command(...args: readonly string[]): Promise<Outcome> {
    return magpie([...args, '--config', 'magpie.yaml'], { cwd: this.folder, env: this.#env });
  }

  /** What stands in the ledger now; undefined while there is none. */
  look<T>(work: (ledger: Reader) => T): T | undefined {
    const opened = openReader(this.data);
    if (!opened.ok) return undefined;
    try {
      return work(opened.value);
    } finally {
      opened.value.close();
    }
  }

  purchases(): Promise<PurchaseJson[]> {
    return this.#json<PurchaseJson[]>('purchases');
  }

  /** Everything that Magpie says of its money, by its own commands; adopted orders stand in its ledger alone. */
  async says(): Promise<Said> {
    const [purchases, status] = await Promise.all([this.purchases(), this.#json<Said['status']>('status')]);
    const adopted = this.look((ledger) => ledger.adoptedOrders()) ?? [];
    const turnedOut = this.look(turnedOutOf) ?? [];
    const held = this.look((ledger) => ledger.purchases().filter((purchase) => purchase.held)) ?? [];
    return {
      purchases,
      status,
      adopted: new Map<string, Micros>(adopted.map(({ orderId, amount }) => [orderId, micros(amount)])),
      turnedOut: new Set(turnedOut),
      unconfirmed: new Set(held.map(({ id }) => id)),
    };
  }

  async #json<T>(command: string): Promise<T> {
    const { code, stdout, stderr } = await this.command(command, '--json');
    if (code !== 0) throw new Error(`magpie ${command} --json ended with ${code}:\n${stderr}`);
    return JSON.parse(stdout) as T;
  }
}

/** Purchases that were cleared by evidence and are bought all the same. */
function turnedOutOf(ledger: Reader): number[] {
  const alerts = ledger.alerts(0, 10_000).filter(({ kind }) => kind === 'late-bought');
  return alerts.flatMap(({ purchaseId }) => {
    const cleared =
      purchaseId !== undefined &&
      ledger.evidenceOf(purchaseId).some(({ kind }) => kind === 'refusal-confirmed' || kind === 'not-bought');
    return cleared ? [purchaseId] : [];
  });
}

/** A length of time around a mean, from half to one and a half of it. */
export function around(random: Random, meanMs: number): number {
  return meanMs * (0.5 + random.next());
}
