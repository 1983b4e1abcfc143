import { type Random, seededRandom } from '../../src/domain/random.ts';
import type { ProcessFaultName } from './fault-menu.ts';
import { type Crash, IN_FLIGHT, type Plan } from './plan.ts';
import type { SimTime } from './sim-time.ts';

/** When the process dies at a point, and which of its writes fail. */
export class Mortality {
  /** How often each kind struck, and where: `crash`, `crash at intent:commit`. */
  readonly struck = new Map<string, number>();
  readonly random: Random;
  healed = false;
  readonly #plan: Plan;
  readonly #time: SimTime;
  readonly #beganAt: number;
  readonly #disk: Random;
  #armed: { readonly crash: Crash; left: number } | undefined;

  constructor(plan: Plan, time: SimTime) {
    this.#plan = plan;
    this.#time = time;
    this.#beganAt = time.now;
    this.random = seededRandom(plan.seed, 'power');
    this.#disk = seededRandom(plan.seed, 'disk');
  }

  heal(): void {
    this.healed = true;
    this.#armed = undefined;
  }

  count(kind: ProcessFaultName, where: string): void {
    for (const name of [kind, `${kind}: ${where}`]) this.struck.set(name, (this.struck.get(name) ?? 0) + 1);
  }

  arm(crash: Crash): void {
    this.#armed = { crash, left: crash.point?.nth ?? 1 };
  }

  /** The process reaches a point; the crash that strikes there, if one does. */
  passes(name: string): Crash | undefined {
    const armed = this.#armed;
    if (armed === undefined || !fits(armed.crash.point?.prefix ?? '', name)) return undefined;
    armed.left -= 1;
    if (armed.left > 0) return undefined;
    this.#armed = undefined;
    this.count(armed.crash.kind, name.replace(/:\d+$/, ':write'));
    return armed.crash;
  }

  /** Whether the disk refuses what is about to be written. Once something is committed it can refuse nothing. */
  writeFails(name: string): boolean {
    if (this.healed || name.startsWith('buy:') || name.endsWith(':committed')) return false;
    const at = this.#time.now - this.#beganAt;
    const trouble = this.#plan.disk.find((one) => at >= one.at && at < one.at + one.ms);
    if (trouble === undefined || this.#disk.next() >= trouble.share) return false;
    this.count('disk', name.split(':')[0] ?? name);
    return true;
  }
}

/** An empty prefix is any point of the code; a buy on its way is none. */
function fits(prefix: string, name: string): boolean {
  return prefix === '' ? name !== IN_FLIGHT : name.startsWith(prefix);
}
