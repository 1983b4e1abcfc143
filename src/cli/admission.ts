import type { EpochMs } from '../domain/clock.ts';
import { compileGlobs } from '../domain/glob.ts';
import type { Listing } from '../domain/listing.ts';
import { type Micros, micros } from '../domain/money.ts';
import type { Lane, Purchase } from '../domain/purchase.ts';
import type { ReferenceRecord } from '../domain/reference.ts';
import type { Reader } from '../ledger/ledger.ts';
import { type Situation, admit } from '../risk/admit.ts';
import { BALANCE_MAX_AGE_MS, available } from '../risk/balance.ts';
import type { Refusal } from '../risk/caps.ts';
import { type Taken, takenBy } from '../risk/taken.ts';
import type { Settings } from '../settings/settings.ts';
import type { LocalSettings } from '../settings/what-counts.ts';
import type { Strategy } from '../strategy/strategy.ts';
import { usageFor } from './cap-use.ts';
import { type Holder, modeOf } from './folder.ts';

/** Where admission stands at one moment, as far as it can be seen from outside the daemon. */
export interface Circumstances {
  /** Those in force. */
  readonly settings: LocalSettings;
  readonly reader: Reader | undefined;
  readonly holder: Holder;
  /** Of the daemon that runs; of the configuration where none does. */
  readonly mode: Settings['mode'];
  readonly now: EpochMs;
  /** Every purchase, oldest first, by its listing id. */
  readonly purchases: ReadonlyMap<string, readonly Purchase[]>;
}

export function circumstances(settings: LocalSettings, reader: Reader | undefined, holder: Holder, now: EpochMs): Circumstances {
  const purchases = new Map<string, Purchase[]>();
  for (const purchase of reader?.everyPurchase() ?? []) {
    const others = purchases.get(purchase.listingId);
    if (others === undefined) purchases.set(purchase.listingId, [purchase]);
    else others.push(purchase);
  }
  const mode = modeOf(settings, holder);
  return { settings, reader, holder, mode, now, purchases };
}

/** What a balance that nobody reads cannot refuse. */
const AMPLE = micros(Number.MAX_SAFE_INTEGER);

/**
 * What admission would say now to a listing that a strategy wants; undefined when it would be admitted. Where no daemon runs,
 * health, balance and start checks are not known and are left out. `purchases` are those of the listing, `record` is that of its name.
 */
export function refusalNow(
  listing: Listing,
  strategy: Strategy,
  { purchases, record }: { readonly purchases: readonly Purchase[]; readonly record: ReferenceRecord | undefined },
  where: Circumstances,
): Refusal | undefined {
  const { settings, reader, holder, mode, now } = where;
  const { limits, feed } = settings;
  const lane: Lane = mode === 'live' ? strategy.lane : 'paper';
  const situation: Situation = {
    now,
    halted: reader?.halted()?.reason,
    blockers: holder.running ? (holder.heartbeat?.blockers ?? []) : [],
    slowedUntil: reader?.slowUntil(),
    health: holder.heartbeat?.health,
    healthPolicy: holder.running ? feed.health : { ...feed.health, require: 'off' },
    limits,
    never: compileGlobs(limits.never)(listing.nameFolded),
    usesReference: strategy.usesReference,
    reference: { record, policy: settings.reference },
    taken: takenOf(purchases.filter((purchase) => purchase.lane === lane)),
    since: { balance: reader?.spendable()?.amount, provenAt: reader === undefined ? undefined : holder.heartbeat?.startedAt },
    usage: usageFor(reader, lane, { strategy: strategy.name, marketHashName: listing.name }, now),
    available: holder.running ? balanceNow(reader, now) : AMPLE,
  };
  const intent = {
    lane,
    strategy: strategy.name,
    strategyHash: strategy.hash,
    limits: strategy.limits,
    listing,
    seenAt: now,
  };
  const admission = admit(intent, situation);
  return admission.ok ? undefined : admission.refusal;
}

function balanceNow(reader: Reader | undefined, now: EpochMs): Micros | undefined {
  const reading = reader?.spendable();
  if (reading === undefined || now - reading.beganAt > BALANCE_MAX_AGE_MS) return undefined;
  return available(reading, reader?.holds() ?? []);
}

/** Of several purchases of a listing the newest counts, unless an older one closes it. Oldest first. */
function takenOf(purchases: readonly Purchase[]): Taken | undefined {
  const each = purchases.map(takenBy).filter((taken) => taken !== undefined);
  return each.find(({ kind }) => kind === 'closed') ?? each.at(-1);
}
