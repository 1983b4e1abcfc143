import { type Figure, figure, time } from './figure.ts';
import type { Profile, Profiles } from './profiling.ts';
import { type RowOptions, lostNote } from './rows/wire.ts';
import { measurePolls } from './snapshots.ts';
import { median, medianOfRatios } from './statistics.ts';
import { type RaceOptions, race } from './wire/race.ts';

interface Variant {
  readonly id: string;
  readonly what: string;
  readonly listings: number;
  readonly share: number;
  readonly rounds: number;
  readonly shuffled?: boolean;
  readonly encoding?: RaceOptions['encoding'];
}

/** The second page: markets that are larger, in disorder, compressed, or all new. */
const variants: readonly Variant[] = [
  { id: '20000', what: '20,000 listings, 1 % new', listings: 20_000, share: 0.01, rounds: 40 },
  { id: 'new-10', what: '10,000 listings, 10 % new', listings: 10_000, share: 0.1, rounds: 50 },
  { id: 'new-100', what: '10,000 listings, all new', listings: 10_000, share: 1, rounds: 40 },
  {
    id: 'shuffled',
    what: '10,000 listings, in another order each time',
    listings: 10_000,
    share: 0.01,
    rounds: 50,
    shuffled: true,
  },
  { id: 'gzip', what: '10,000 listings, gzip', listings: 10_000, share: 0.01, rounds: 50, encoding: 'gzip' },
  { id: 'brotli', what: '10,000 listings, brotli', listings: 10_000, share: 0.01, rounds: 50, encoding: 'br' },
];

const WARM_UP = 25;

export async function morePage(options: RowOptions, say: (words: string) => void): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const variant of variants) {
    say(variant.what);
    figures.push(await variantFigure(variant, options));
  }
  for (const [share, name] of [
    [0.01, '1 %'],
    [0.1, '10 %'],
    [1, '100 %'],
  ] as const) {
    say(`CPU of a shuffled poll, ${name} new`);
    const { floorMs, oursMs, ratio } = measurePolls({ share, polls: 11, warmUp: 10, shuffled: true });
    const what = `CPU of a shuffled poll, 10,000 listings, ${name} new`;
    figures.push(figure({ id: `shuffled-poll-${share * 100}`, what, floor: time(floorMs), ours: time(oursMs), value: ratio }));
  }
  return figures;
}

async function variantFigure(
  { id, what, listings, share, rounds, shuffled, encoding }: Variant,
  options: RowOptions,
): Promise<Figure> {
  const { place, parse, part } = options;
  const run = await race({
    ...{ listings, share, rounds: Math.ceil(rounds * part), warmUp: Math.ceil(WARM_UP * part), place },
    ...(shuffled === undefined ? {} : { shuffled }),
    ...(encoding === undefined ? {} : { encoding }),
    rivals: [
      { name: 'floor', kind: 'floor', acceptEncoding: encoding },
      { name: 'Magpie', kind: 'magpie', synchronous: 'FULL', parse },
    ],
  });
  const [floor, ours] = ['floor', 'Magpie'].map((name) => run.times.get(name)?.fromLast ?? []) as [number[], number[]];
  const value = medianOfRatios({ ours, floor });
  return figure({
    id: `more-${id}`,
    what: `last byte → POST, ${what}`,
    floor: time(median(floor)),
    ours: time(median(ours)),
    value,
    note: lostNote(run),
  });
}

export interface Profiled {
  readonly profile: Profiles;
  readonly polls: number;
}

/** Where the processor is while Magpie polls 10,000 listings of which 1 % are new, and buys one of them each time. */
export async function profileOfMagpie({ place, parse, part }: RowOptions): Promise<Profiled> {
  const polls = Math.ceil(100 * part);
  const run = await race({
    ...{ listings: 10_000, share: 0.01, rounds: polls, warmUp: Math.ceil(40 * part), place, profiled: 'Magpie' },
    rivals: [{ name: 'Magpie', kind: 'magpie', synchronous: 'FULL', parse }],
  });
  if (run.profile === undefined) throw new Error('the profile was not taken');
  return { profile: run.profile, polls };
}

const SHOWN = 12;

/** What takes the most, per poll. */
export function profileText({ profile: { hot, whole }, polls }: Profiled): string {
  return [
    'Where the processor is in a poll of 10,000 listings, 1 % new, one bought',
    ...profileLines('from the first byte of the answer to the POST', hot, polls),
    ...profileLines('all of a poll, what is put off until after the POST included', whole, polls),
    '',
  ].join('\n');
}

function profileLines(title: string, { totalMs, files, functions }: Profile, polls: number): string[] {
  const line = ({ name, ms }: { readonly name: string; readonly ms: number }): string =>
    `  ${time(ms / polls).padStart(9)}  ${((ms / totalMs) * 100).toFixed(1).padStart(5)} %  ${name}`;
  return [
    `\n${title}: ${time(totalMs / polls)}`,
    'by file, with what it called of packages and of the engine',
    ...files.slice(0, SHOWN).map(line),
    'by function, its own time',
    ...functions.slice(0, SHOWN).map(line),
  ];
}
