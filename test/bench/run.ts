import { appendFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Figure } from './figure.ts';
import { morePage, profileOfMagpie, profileText } from './more.ts';
import { type Report, historyLine, markdownOf, reportText, settingNow } from './report.ts';
import { backtestRows } from './rows/backtest.ts';
import { limiterRow } from './rows/limiter.ts';
import { accountsRow } from './rows/accounts.ts';
import { matchingRow } from './rows/matching.ts';
import { pollRows } from './rows/polls.ts';
import { recordingRows } from './rows/recording.ts';
import { type RowOptions, atLineRate, fromLastByte } from './rows/wire.ts';
import { inPlace } from './wire/rivals.ts';

const HISTORY = fileURLToPath(new URL('history.jsonl', import.meta.url));

const usage = `npm run bench -- [options]
  --more          the second page: larger, shuffled, compressed and newer feeds, and a profile
  --json FILE     writes the figures as JSON as well
  --markdown      prints the table as a document wants it
  --keep          adds a line to test/bench/history.jsonl
  --parse VALUE   reads the listings as feed.parse: VALUE would; by default as the configuration does by default
  --part 0.1      takes that part of the rounds, to try the bench itself
`;

/** The rows of the first page, one after the other: what is measured must not run beside what is measured. */
async function firstPage(options: RowOptions): Promise<readonly Figure[]> {
  const rows: readonly (readonly [string, () => Promise<readonly Figure[]> | readonly Figure[]])[] = [
    ['from the last byte to the POST', () => fromLastByte(options)],
    ['at 100 Mbit/s', () => atLineRate(options)],
    ['CPU of a poll', () => pollRows(options.part)],
    ['matching', () => matchingRow(options.part)],
    ['accounts', () => accountsRow(options.part)],
    ['limiter', () => limiterRow(options.part)],
    ['matching of a backtest and of a sweep', () => backtestRows(options.place, options.part)],
    ['recording', () => recordingRows(options.place, options.part)],
  ];
  const figures: Figure[] = [];
  for (const [name, measure] of rows) {
    say(name);
    figures.push(...(await measure()));
  }
  return figures;
}

function say(words: string): void {
  process.stderr.write(`… ${words}\n`);
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      more: { type: 'boolean', default: false },
      json: { type: 'string' },
      markdown: { type: 'boolean', default: false },
      keep: { type: 'boolean', default: false },
      parse: { type: 'string' },
      part: { type: 'string', default: '1' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return void process.stdout.write(usage);
  const setting = settingNow(values.parse);
  const began = performance.now();
  await inPlace(async (place) => {
    const options = { place, parse: values.parse, part: Number(values.part) };
    const figures = values.more ? await morePage(options, say) : await firstPage(options);
    const report: Report = { setting, seconds: (performance.now() - began) / 1_000, figures };
    process.stdout.write(values.markdown ? markdownOf(report) : reportText(report));
    const profiled = values.more ? await profileOfMagpie(options) : undefined;
    if (profiled !== undefined) process.stdout.write(`\n${profileText(profiled)}`);
    if (values.json !== undefined)
      writeFileSync(values.json, `${JSON.stringify({ ...report, profile: profiled }, undefined, 2)}\n`);
    if (values.keep) appendFileSync(HISTORY, `${historyLine(report)}\n`);
  });
}

await main();
