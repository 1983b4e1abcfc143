import type { Halt } from '../../src/engine/journal.ts';
import type { DaemonProcess } from './daemon-process.ts';

/** The halts that a trouble of the run leads to, with what a person finds when looking into it. */
const expected = [
  { name: 'a debit above the expected', pattern: /^\$[\d,.]+ was debited for purchase \d+ .* was expected$/, fault: 'feeDrift' },
  {
    name: 'other goods than asked for',
    pattern: /what the service says was bought is not what was asked for/,
    fault: 'buyOtherGoods',
  },
] as const;

/** Plays the person who looks into each halt and resumes, as `magpie halt` asks for. A halt without a cause is kept as a complaint. */
export class Person {
  readonly #daemon: DaemonProcess;
  readonly halts = new Map<string, number>();
  readonly complaints: string[] = [];

  constructor(daemon: DaemonProcess) {
    this.#daemon = daemon;
  }

  get resumed(): number {
    return [...this.halts.values()].reduce((total, each) => total + each, 0);
  }

  /** Looks whether buying is halted, and what for; resumes. Returns what was said about it, undefined when it is not halted. */
  async look(struck: Readonly<Record<string, number>>): Promise<string | undefined> {
    const halt = this.#daemon.look((ledger) => ledger.halted());
    if (halt === undefined) return undefined;
    const cause = expected.find(({ pattern, fault }) => pattern.test(halt.reason) && (struck[fault] ?? 0) > 0);
    const name = cause?.name ?? 'a cause that was not played';
    if (cause === undefined) this.complaints.push(`halted for a cause that was not played: ${words(halt)}`);
    this.halts.set(name, (this.halts.get(name) ?? 0) + 1);
    const { code, stderr } = await this.#daemon.command('resume');
    if (code !== 0) this.complaints.push(`magpie resume ended with ${code}: ${stderr.slice(0, 300)}`);
    return `halted by itself (${words(halt)}); a person looked into it (${name}) and resumed`;
  }
}

function words({ reason, by }: Halt): string {
  return by === 'evidence' || by === 'outcome' ? reason : `${by}: ${reason}`;
}
