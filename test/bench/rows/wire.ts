import { type Figure, figure, time } from '../figure.ts';
import { addedInUnits, median, medianOfRatios, quantile, ratioOfP99 } from '../statistics.ts';
import { type Race, type Times, race } from '../wire/race.ts';
import { sendAtRate } from '../wire/sending.ts';

interface Size {
  readonly listings: number;
  readonly rounds: number;
  readonly p50: number;
  readonly p99: number;
}

/** From the last byte of the snapshot to the POST: what is wanted of the ratio to the floor. */
const sizes: readonly Size[] = [
  { listings: 100, rounds: 250, p50: 0.75, p99: 1.3 },
  { listings: 1_000, rounds: 200, p50: 0.25, p99: 0.5 },
  { listings: 10_000, rounds: 120, p50: 0.12, p99: 0.3 },
];

/** A live market is mostly as it was. */
const SHARE = 0.01;

/** Polls before the first that counts: both sides are compiled by then. */
const WARM_UP = 40;

export interface RowOptions {
  /** Where the rivals keep their files. */
  readonly place: string;
  /** As `feed.parse` says; undefined: the default. */
  readonly parse: string | undefined;
  /** Of the rounds of a full run, to try the bench itself. */
  readonly part: number;
}

const names = { floor: 'the floor', relaxed: 'Magpie without syncs', ours: 'Magpie' } as const;

/** Rows one and two: last byte of the snapshot → headers of the POST, and what the sync of the commit adds. */
export async function fromLastByte({ place, parse, part }: RowOptions): Promise<readonly Figure[]> {
  const races: Race[] = [];
  const figures: Figure[] = [];
  for (const size of sizes) {
    const { listings } = size;
    const run = await race({
      ...{ listings, share: SHARE, rounds: Math.ceil(size.rounds * part), warmUp: Math.ceil(WARM_UP * part), place },
      rivals: [
        { name: names.floor, kind: 'floor' },
        { name: names.relaxed, kind: 'magpie', synchronous: 'NORMAL', parse },
        { name: names.ours, kind: 'magpie', synchronous: 'FULL', parse },
      ],
    });
    races.push(run);
    figures.push(...ofSize(size, run));
  }
  return [...figures, syncFigure(races)];
}

function ofSize({ listings, p50, p99 }: Size, run: Race): Figure[] {
  const three = [timesOf(run, names.floor), timesOf(run, names.relaxed), timesOf(run, names.ours)] as const;
  const [floor, relaxed, full] = [three[0].fromLast, three[1].fromLast, three[2].fromLast];
  const cpu = { ours: three[1].cpuMs, floor: three[0].cpuMs };
  const what = `last byte → POST, ${listings.toLocaleString('en')} listings`;
  const tail = (values: readonly number[]): string => time(quantile(values, 0.99));
  const pairs = { ours: relaxed, floor };
  return [
    figure(
      {
        ...{ id: `wire-${listings}-p50`, what: `${what}, p50`, value: medianOfRatios(pairs), note: lostNote(run) },
        ...{ floor: time(median(floor)), ours: time(median(relaxed)) },
      },
      p50,
    ),
    figure(
      { id: `wire-${listings}-p99`, what: `${what}, p99`, floor: tail(floor), ours: tail(relaxed), value: ratioOfP99(pairs) },
      p99,
    ),
    figure({
      ...{ id: `wire-${listings}-full-p50`, what: `${what}, synced as by default, p50` },
      ...{ floor: time(median(floor)), ours: time(median(full)), value: medianOfRatios({ ours: full, floor }) },
    }),
    figure({
      ...{ id: `wire-${listings}-cpu`, what: `${what.replace('last', 'first')}, CPU time, p50`, value: medianOfRatios(cpu) },
      ...{ floor: time(median(cpu.floor)), ours: time(median(cpu.ours)) },
    }),
  ];
}

/** The three sizes together: a sync costs what it costs whatever was read before. */
function syncFigure(races: readonly Race[]): Figure {
  const all = (name: string): number[] => races.flatMap((run) => timesOf(run, name).fromLast);
  const [full, relaxed, sync] = [all(names.ours), all(names.relaxed), races.flatMap(({ syncMs }) => syncMs)];
  const added = median(full.map((ms, at) => ms - relaxed[at]!));
  return figure(
    {
      ...{ id: 'sync-added', what: 'what the sync of the commit adds, in bare fdatasyncs' },
      ...{ floor: time(median(sync)), ours: time(added), value: addedInUnits(full, relaxed, sync) },
    },
    1.5,
  );
}

/** Row three: at 100 Mbit/s, from the last byte of the listing to the POST. */
export async function atLineRate({ place, parse, part }: RowOptions): Promise<readonly Figure[]> {
  const run = await race({
    ...{ listings: 1_000, share: SHARE, rounds: Math.ceil(80 * part), warmUp: Math.ceil(WARM_UP * part), place },
    send: (socket, written) => sendAtRate(socket, written, 100_000_000),
    rivals: [
      { name: names.floor, kind: 'floor' },
      { name: names.ours, kind: 'magpie', synchronous: 'FULL', parse },
    ],
  });
  const [floor, ours] = [timesOf(run, names.floor), timesOf(run, names.ours)];
  const pairs = { ours: ours.fromListing, floor: floor.fromListing };
  const what = 'at 100 Mbit/s, 1,000 listings';
  return [
    figure(
      {
        ...{ id: 'line-p50', what: `${what}: listing sent → POST, p50`, value: medianOfRatios(pairs), note: lostNote(run) },
        ...{ floor: time(median(floor.fromListing)), ours: time(median(ours.fromListing)) },
      },
      0.05,
    ),
    figure(
      {
        ...{ id: 'line-before-end', what: `${what}: snapshot sent → POST, p50 (below 0: before its end)` },
        ...{ floor: time(median(floor.fromLast)), ours: time(median(ours.fromLast)) },
        ...{ value: median(ours.fromLast), unit: 'ms' },
      },
      0,
    ),
  ];
}

/** What did not count must be known: leaving out the slow would be an easy way to be fast. */
export function lostNote({ lost }: Race): string | undefined {
  return lost === 0 ? undefined : `${lost} rounds without a buy left out`;
}

function timesOf(run: Race, name: string): Times {
  const times = run.times.get(name);
  if (times === undefined) throw new RangeError(`${name} has not run`);
  return times;
}
