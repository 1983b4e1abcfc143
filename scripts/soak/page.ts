import { type HttpFigures, httpWords } from '../polls/figures.ts';
import type { Figure } from './verdict.ts';

export interface Soaked {
  readonly days: number;
  readonly polls: number;
  readonly minutes: number;
  readonly figures: readonly Figure[];
  /** undefined where nothing was polled over sockets. */
  readonly http: HttpFigures | undefined;
}

/** The page of figures, written by the command that has measured them. */
export function endurancePage({ days, polls, minutes, figures, http }: Soaked): string {
  const times = (polls / (minutes * 60)).toFixed(0);
  const rows = figures.map(
    ({ what, value, bound, holds }) => `| ${what} | ${value} | ${bound} | ${holds ? 'holds' : '**broken**'} |`,
  );
  const sockets = http === undefined ? [] : ['', 'Over real sockets, the whole daemon:', '', '```text', httpWords(http), '```'];
  return `${[
    '# Endurance',
    '',
    '<!-- Made by scripts/soak.ts: npm run soak -- --write -->',
    '',
    'Magpie is meant to be left alone for months. `npm run soak` lives through a month of polls on virtual time, under faults of network and',
    'service, with everything at its own time that a daemon does besides: limits and strategies changed, backups made and dropped, the ledger checked',
    'at night, digests and alerts told to a channel that does not always take them, purchases on paper checked again. It ends with exit code 1',
    'where a bound is broken. `npm run soak -- --days 1` takes a minute or two; `--plant 200` leaves 200 bytes behind at each poll, and fails.',
    '',
    `The newest run: ${days} days at a poll a second (${polls} polls) in ${minutes.toFixed(1)} minutes, ${times} times as fast as the clock. Of memory everything`,
    'that nothing refers to is given back before it is measured; rises are those of a line through the second half of the samples.',
    '',
    '| what | measured | bound | |',
    '| --- | --- | --- | --- |',
    ...rows,
    ...sockets,
    '',
    'On virtual time there are no sockets, and the channel is one that takes letters without any; engine, feed, reading of answers, ledger, recording, backups,',
    'checks, queue of news and delivery are those of the daemon, on real files. What real sockets and timers hold is measured by the second run.',
  ].join('\n')}\n`;
}
