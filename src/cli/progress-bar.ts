import type { Io } from './io.ts';
import { span } from './time.ts';

const RENEW_MS = 100;
const WIDTH = 24;

/** One line of a terminal that shows how far a long work has come, how fast it goes and how long it still takes. Elsewhere nothing is shown. */
export class ProgressBar {
  readonly #io: Pick<Io, 'err' | 'clock'>;
  #doing: string | undefined;
  #beganAt = 0;
  #shownAt = Number.NEGATIVE_INFINITY;

  constructor(io: Pick<Io, 'err' | 'clock'>) {
    this.#io = io;
  }

  /** `done` of `of`, `doing` what. */
  show(doing: string, done: number, of: number): void {
    const { err, clock } = this.#io;
    if (!err.isTerminal) return;
    const now = clock.mono();
    if (doing !== this.#doing) [this.#doing, this.#beganAt] = [doing, now];
    if (now - this.#shownAt < RENEW_MS && done < of) return;
    this.#shownAt = now;
    const share = of === 0 ? 1 : Math.min(1, done / of);
    const filled = Math.round(share * WIDTH);
    const took = now - this.#beganAt;
    const rate = took > 0 ? `${rounded((done / took) * 1_000)}/s` : '';
    const left = share > 0 && share < 1 ? `, ${span((took / share) * (1 - share))} left` : '';
    const line = `${doing} [${'#'.repeat(filled)}${'-'.repeat(WIDTH - filled)}] ${Math.floor(share * 100)} % ${rate}${left}`;
    err.write(`\r\u001b[K${err.palette.dim(line.slice(0, Math.max(20, err.width - 1)))}`);
  }

  end(): void {
    if (this.#doing !== undefined) this.#io.err.write('\r\u001b[K');
    this.#doing = undefined;
  }
}

function rounded(value: number): string {
  return value >= 10 ? value.toFixed(0) : value.toFixed(1);
}
