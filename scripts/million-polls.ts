import { parseArgs } from 'node:util';
import { type HttpFigures, type VirtualFigures, httpFigures, httpWords, virtualFigures, virtualWords } from './polls/figures.ts';
import { pollOverHttp } from './polls/http-run.ts';
import type { Sample } from './polls/memory.ts';
import { pollOnVirtualTime } from './polls/virtual-run.ts';

const usage = `npm run million-polls -- [--polls 1000000] [--http 20000] [--replaced 1] [--json]
Watches a market that never stands still, bad answers of every kind among the good, and tells whether memory, timers, sockets and files
stay flat: first so many polls on virtual time, then so many over HTTP as fast as the machine can. Everything that nothing refers to is
given back before each measurement; slopes are those of the second half. --replaced: listings that give way to others at each poll; more
of them fill in fewer polls what remembers a bounded number. --json: the figures as one document.
Exit code 1: something grows.`;

const { values } = parseArgs({
  options: {
    polls: { type: 'string', default: '1000000' },
    http: { type: 'string', default: '20000' },
    replaced: { type: 'string', default: '1' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

const replaced = Number(values.replaced);

if (values.help) console.log(usage);
else await main(Number(values.polls), Number(values.http));

async function main(polls: number, overHttp: number): Promise<void> {
  const virtual = polls > 0 ? await onVirtualTime(polls) : undefined;
  const http = overHttp > 0 ? await overSockets(overHttp) : undefined;
  if (values.json) console.log(JSON.stringify({ virtual, http }));
  else console.log([virtual && virtualWords(virtual), http && httpWords(http)].filter(Boolean).join('\n'));
  if (virtual?.flat === false || http?.flat === false) process.exitCode = 1;
}

async function onVirtualTime(polls: number): Promise<VirtualFigures> {
  const began = performance.now();
  const run = await pollOnVirtualTime({ polls, replaced }, (sample) => progress(sample, polls, began, `${sample.timers} timers`));
  return virtualFigures(run, performance.now() - began);
}

async function overSockets(polls: number): Promise<HttpFigures> {
  const began = performance.now();
  const run = await pollOverHttp({ polls, replaced }, (sample) => {
    const { files, sockets, timers } = sample;
    progress(sample, polls, began, `${files} files, of them ${sockets} sockets  ${timers} timers`);
  });
  return httpFigures(run, performance.now() - began);
}

function progress({ polls, heap, resident }: Sample, wanted: number, began: number, more: string): void {
  const spent = performance.now() - began;
  const left = (spent / polls) * Math.max(wanted - polls, 0);
  const percent = String(Math.min(100, Math.round((100 * polls) / wanted))).padStart(3);
  const memory = `heap ${(heap / 1e6).toFixed(2)} MB  resident ${(resident / 1e6).toFixed(1)} MB`;
  console.error(
    `${percent} %  ${polls} polls  ${memory}  ${more}  ${(spent / polls).toFixed(2)} ms a poll  ${(left / 60_000).toFixed(1)} min left`,
  );
}
