import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { SystemClock } from '../../src/app/system-clock.ts';
import type { Decision } from '../../src/domain/decision.ts';
import type { ReasonCode } from '../../src/domain/reason.ts';
import { seededRandom } from '../../src/domain/random.ts';
import type { Heartbeat } from '../../src/ledger/heartbeat.ts';
import { readAssets } from '../../src/web/assets.ts';
import { begun, outcomes, readBalance } from '../ledger/support.ts';
import { tapeAt } from '../replay/recording.ts';
import { Polls, entry } from '../support/feed-entries.ts';
import { dollars, listing } from '../support/values.ts';
import { type Stage, running, sign, stage } from './stage.ts';

/** The page as `npm run build` has made it. */
export const built = fileURLToPath(new URL('../../dist/web/page/', import.meta.url));

const names = [
  'AK-47 | Redline (Field-Tested)',
  'AWP | Asiimov (Battle-Scarred)',
  'M4A4 | 龍王 (Dragon King) (Minimal Wear)',
  '★ Karambit | Doppler (Factory New)',
  'StatTrak™ Glock-18 | Water Elemental (Minimal Wear)',
  'Desert Eagle | Printstream (Field-Tested)',
  'Sticker | kye (Gold) | Austin 2025',
] as const;

const day = 86_400_000;

/** Names that would do something where they are taken for more than text. */
export const hostile = [
  '<img src=x onerror="window.hacked=1">',
  '"><script>window.hacked=1</script>',
  "javascript:window.hacked=1//'",
  'A name without an end '.repeat(12).trim(),
] as const;

/** A page that goes on as one of a daemon would. */
export interface Scene extends Stage {
  /** What its signs of life say from now on, beside that it is well. */
  beat(given: Partial<Heartbeat>): void;
}

/** The daemon of a scene gives a sign of life each second. */
export function alive<Place extends Pick<Stage, 'folder' | 'ledger'>>(
  scene: Place,
  given: Partial<Heartbeat>,
): Place & Pick<Scene, 'beat'> {
  let says = given;
  running(scene, Date.now(), says);
  const beat = (): void => scene.ledger.saveHeartbeat({ ...sign(Date.now()), ...says });
  const timer = setInterval(beat, 1_000);
  onTestFinished(() => clearInterval(timer));
  return {
    ...scene,
    beat(other) {
      says = other;
      beat();
    },
  };
}

/** A page with the built files, of a daemon that has just begun. */
export async function fresh(): Promise<Scene> {
  const scene = await stage({ clock: new SystemClock(), assets: readAssets(built) });
  return alive(scene, { listings: 0, matching: 0, lastPollAt: undefined, health: undefined });
}

/** A month of purchases, a few of them in doubt, decisions by the hundred, alerts and a recording. */
export async function busy(): Promise<Scene> {
  const scene = await stage({ clock: new SystemClock(), assets: readAssets(built), files: strategies });
  fill(scene);
  recordedMarket(scene.folder);
  return alive(scene, {});
}

/** What lies in the folder of an account after a month. */
export function fill(scene: Pick<Stage, 'folder' | 'ledger'>): void {
  const now = Date.now();
  const { ledger, folder } = scene;
  const random = seededRandom(7, 'scenes');
  for (let number = 0; number < 45; number += 1) {
    const at = now - 29 * day + Math.floor((29 * day * number) / 45) + Math.floor(random.next() * day * 0.3);
    buy(scene, number, Math.min(at, now - (50 - number) * 60_000), random.next());
  }
  readBalance(ledger, 5_000, now - 245_000);
  const doubt = begun(ledger, 990, now - 240_000, {
    seenAt: now - 240_001,
    strategy: 'redlines',
    listing: listing({ id: '990', name: names[1], price: 41.5 }),
  });
  ledger.recordOutcome(doubt.id, outcomes.unknown(), times(now - 240_000, 12), undefined, now - 230_000);
  readBalance(ledger, 1_482.37, now - 51_000);
  hostile.forEach((name, index) => {
    const number = 900 + index;
    const purchase = begun(ledger, number, now - 50_000 + index, {
      seenAt: now - 50_001 + index,
      strategy: 'redlines',
      listing: listing({ id: `${number}`, name, price: 3 + index }),
    });
    ledger.recordOutcome(purchase.id, outcomes.bought(`order-${number}`), times(now - 50_000, 9), undefined, now - 49_000);
  });
  readBalance(ledger, 1_482.37, now - 2_000);
  ledger.recordDecisions(decisions(now));
  for (const [index, message] of [
    hostile[0],
    'The order of AK-47 | Redline (Field-Tested) waits for you to accept its trade offer',
  ].entries())
    ledger.recordAlert({
      kind: 'accept',
      at: now - 600_000 * (2 - index),
      message,
      next: 'Accept the offer.',
      purchaseId: undefined,
    });
  writeFileSync(join(folder, 'redlines-in-november.html'), report);
}

/** A recording in the data folder of all. */
export function recordedMarket(folder: string): void {
  const { tape } = tapeAt(join(folder, 'recording.db'));
  tape.poll(
    new Polls().next(
      names.map((name, index) =>
        entry({
          id: `8000000${index}0`,
          marketHashName: name,
          price: 12 + index,
          priceWithFee: 12.6 + index,
          steamPrice: 25,
          wear: 0.31,
        }),
      ),
    ),
  );
  tape.close(Date.now());
}

/** A report that tries what it must not be able to do. */
const report =
  '<!doctype html><title>A report</title><h1>A report</h1><script>document.title = "its script runs"; fetch("/api/status").then(() => (document.title = "it has read our facts"), () => undefined);</script>';

export const strategies = {
  'strategies/knives.yaml':
    'name: knives\npriority: 20\nwhen: { name: "★ *", wear: { below: 0.07 } }\nprice: { max: 140, maxOfSteam: 0.70 }\nlimits: { spend: { day: 300 }, count: { day: 2 } }\n',
  'strategies/cheap-stickers.yaml': 'name: cheap-stickers\nwhen: { type: sticker }\nprice: { maxOfSteam: 0.5 }\n',
};

/** A purchase as the ledger would have it at the end of its way. */
function buy({ ledger }: Pick<Stage, 'ledger'>, number: number, at: number, luck: number): void {
  const price = Math.round((2 + luck * 38) * 100) / 100;
  const name = names[number % names.length] ?? names[0];
  const strategy = number % 4 === 0 ? 'knives' : 'redlines';
  const market = number % 3 === 0 ? 'ecosteam' : 'c5game';
  const steam = dollars(Math.round(price * 1.45 * 100) / 100);
  readBalance(ledger, 5_000, at - 1_000);
  const purchase = begun(ledger, number, at, {
    seenAt: at - 0.4,
    strategy,
    listing: listing({ id: String(number), name, price, market, steam }),
  });
  const outcome = luck < 0.2 ? outcomes.refused(luck < 0.15 ? 'gone' : 'repriced') : outcomes.bought(`order-${number}`);
  ledger.recordOutcome(purchase.id, outcome, times(at, 1 + luck * 14), undefined, at + 90);
}

function times(at: number, ownMs: number): { readonly sentAt: number; readonly answeredAt: number } {
  return { sentAt: at + ownMs, answeredAt: at + ownMs + 70 };
}

const refusals: readonly (readonly [ReasonCode, string])[] = [
  ['max-price', '$61.20 is more than $50.00'],
  ['spend-day', '$490.00 in the last 24 h + $12.60 is more than $500.00'],
  ['item-day', '2 in the last 24 h of 2'],
  ['expired', 'could not be sent within two polling intervals'],
];

/** Decisions of the last minutes, one in six allowed. */
export function decisions(now: number, count = 240): Decision[] {
  return Array.from({ length: count }, (_, index): Decision => {
    const [reason, detail] = refusals[index % refusals.length] ?? ['expired', ''];
    const allowed = index % 6 === 0;
    return {
      ...{ at: now - (count - index) * 900, lane: 'live', market: 'c5game', listingId: `8000000${index % 7}0` },
      ...{
        marketHashName: names[index % names.length] ?? '',
        strategy: index % 3 === 0 ? 'knives' : 'redlines',
        strategyHash: 'hash',
      },
      ...{ cost: dollars(12.6 + (index % 40)), verdict: allowed ? 'admitted' : 'refused' },
      ...{ reason: allowed ? undefined : reason, detail: allowed ? undefined : detail },
    };
  });
}
