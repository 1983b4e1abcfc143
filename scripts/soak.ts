import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type HttpFigures, httpFigures, httpWords } from './polls/figures.ts';
import { pollOverHttp } from './polls/http-run.ts';
import { endurancePage } from './soak/page.ts';
import { bounds, soak } from './soak/run.ts';
import { type Figure, type SoakSample, soakFigures } from './soak/verdict.ts';

const usage = `npm run soak -- [--days 30] [--http 20000] [--plant 0] [--write] [--json]
Lives through so many days of polls at one a second, on virtual time and under faults, with reloads, backups, nightly checks, digests and
alerts at their own times, then through so many polls over HTTP as fast as the machine can, and tells whether memory, files, timers and
sockets stay flat and ledger, recording and log within their bounds. --plant: bytes left behind at each poll, to see that it is found.
--write: puts the figures into docs/endurance.md. --json: the figures as one document.
Exit code 1: a bound is broken.`;

const { values } = parseArgs({
  options: {
    days: { type: 'string', default: '30' },
    http: { type: 'string', default: '20000' },
    plant: { type: 'string', default: '0' },
    write: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

if (values.help) console.log(usage);
else await main(Number(values.days), Number(values.http), Number(values.plant));

async function main(days: number, overHttp: number, planted: number): Promise<void> {
  const run = await soak(days, planted, (sample) => progress(sample, days));
  const figures = soakFigures(run.samples, run.counts, bounds);
  const http = overHttp > 0 ? await overSockets(overHttp) : undefined;
  const polls = run.samples.at(-1)?.polls ?? 0;
  const soaked = { days, polls, minutes: run.minutes, figures, http };
  const holds = figures.every((figure) => figure.holds) && http?.flat !== false;
  if (values.json) console.log(JSON.stringify({ ...soaked, holds }));
  else console.log([headline(soaked), ...figures.map(line), ...(http ? [httpWords(http)] : [])].join('\n'));
  if (values.write) writeFileSync(new URL('../docs/endurance.md', import.meta.url), endurancePage(soaked));
  if (!holds) process.exitCode = 1;
}

async function overSockets(polls: number): Promise<HttpFigures> {
  const began = performance.now();
  const run = await pollOverHttp({ polls, replaced: 1 }, () => undefined);
  return httpFigures(run, performance.now() - began);
}

function headline({ days, polls, minutes }: { readonly days: number; readonly polls: number; readonly minutes: number }): string {
  const times = (polls / (minutes * 60)).toFixed(0);
  return `${days} days, ${polls} polls in ${minutes.toFixed(1)} minutes: ${times} times as fast as the clock`;
}

function line({ what, value, bound, holds }: Figure): string {
  return `  ${holds ? ' ' : '✗'} ${what.padEnd(44)} ${value.padEnd(34)} ${bound}`;
}

function progress({ polls, heap, resident, files, timers, ledger, recording }: SoakSample, days: number): void {
  const percent = String(Math.min(100, Math.round(polls / (days * 864)))).padStart(3);
  const memory = `heap ${(heap / 1e6).toFixed(1)} MB, resident ${(resident / 1e6).toFixed(0)} MB`;
  const kept = `ledger ${(ledger / 1e6).toFixed(1)} MB, recording ${(recording / 1e6).toFixed(1)} MB`;
  console.error(`${percent} %  ${polls} polls  ${memory}, ${files} files, ${timers} timers, ${kept}`);
}
