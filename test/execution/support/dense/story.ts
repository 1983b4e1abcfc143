import type { EpochMs } from '../../../../src/domain/clock.ts';
import { NOON } from '../../../support/values.ts';
import { second } from '../looks.ts';
import type { Entry } from './book.ts';
import type { Booked, Ordered } from './exchange.ts';
import { type Life, live } from './life.ts';
import { worldOf } from './world.ts';

/** What went wrong in the world of a seed, with its story; undefined where nothing did. */
export function faultOf(seed: number): string | undefined {
  const life = live(worldOf(seed));
  return life.violations.length === 0 ? undefined : storyOf(life);
}

/**
 * A life line by line: what was broken, then what happened and what became known of it, in seconds since noon by the service's clock.
 * Amounts in micro-dollars.
 */
export function storyOf({ world, book, skipped, violations }: Life): string {
  const { seed, faults, habits, dedicated } = world;
  const broken = violations.map(({ check, detail, purchaseId }) => `  ${check} (${purchaseId ?? '-'}): ${detail}`);
  const ours = book.entries.map(({ at, text }) => ({ at: at - habits.aheadMs, text }));
  const orders = world.orders.filter(({ attempt }) => !skipped.has(attempt)).flatMap(orderEntries);
  const bookings = world.bookings.filter(({ of }) => !skipped.has(of.attempt)).flatMap(bookingEntries);
  const entries = [...orders, ...bookings, ...ours].sort((a, b) => a.at - b.at);
  return [
    `seed ${seed}: ${violations.length === 0 ? 'nothing is broken' : 'broken:'}`,
    ...broken,
    `  dedicated ${dedicated}, ${JSON.stringify(habits)}`,
    `  ${JSON.stringify(faults)}`,
    ...entries.map(({ at, text }) => `  ${seconds(at).padStart(9)} ${text}`),
  ].join('\n');
}

const seconds = (at: EpochMs): string => ((at - NOON) / second).toFixed(3);

function orderEntries({ attempt, order, way, shownAt, ...shows }: Ordered): Entry[] {
  const { listing } = attempt;
  const as = `${listing.name} for ${listing.price}, cost ${listing.cost}, wear ${listing.wear ?? 'none'}, listing ${listing.id}`;
  return [
    { at: order.createdAt, text: `order ${order.id} is made: ${as}` },
    { at: shownAt, text: `order ${order.id} is shown${manner(shows)}` },
    ...way.slice(1).map(({ code, at }) => ({ at, text: `order ${order.id} is ${code}` })),
  ];
}

function bookingEntries({ booking, of: _, shownAt, ...shows }: Booked): Entry[] {
  const { id, kind, amount, at, orderId } = booking;
  return [
    { at, text: `${kind} ${id} of ${amount} is booked for ${orderId}` },
    { at: shownAt, text: `${kind} ${id} is shown${manner(shows)}` },
  ];
}

function manner(shows: Readonly<Record<string, boolean>>): string {
  return Object.keys(shows)
    .filter((name) => shows[name])
    .map((name) => `, ${name}`)
    .join('');
}
