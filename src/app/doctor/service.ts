import type { Clock, EpochMs } from '../../domain/clock.ts';
import { sleep } from '../../domain/clock.ts';
import { believedSlowUntil } from '../../domain/slow-down.ts';
import { printable } from '../../domain/text.ts';
import type { Random } from '../../domain/random.ts';
import type { Secret } from '../../domain/secret.ts';
import type { Log } from '../../engine/ports.ts';
import { createGateway } from '../../gateway/gateway.ts';
import { openReader } from '../../ledger/open.ts';
import type { AccountSettings, Settings } from '../../settings/settings.ts';
import { lockKey } from '../holdings.ts';
import { type Answered, clockFinding, healthFindings, keyFindings, listingsFinding } from './answers.ts';
import { type Finding, bad, doubt, good } from './finding.ts';

export interface ServiceOptions {
  readonly settings: Settings;
  readonly clock: Clock;
  readonly random: Random;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** What the ledger knows that the answers are held against. */
interface Known {
  readonly account: string | undefined;
  readonly newestRowAt: EpochMs | undefined;
  readonly slowUntil: EpochMs | undefined;
}

/** The whole look takes no longer than this: a service that does not answer is one finding, not a wait for each question. */
const LOOK_MS = 30_000;

/**
 * Asks the service three questions, none of which changes anything, at the configured pace: whose key this is, what is for sale, how the
 * markets are. Not where another process is at work with the key, whose rates would not hold.
 */
export async function serviceFindings(options: ServiceOptions): Promise<readonly Finding[]> {
  const { settings } = options;
  if (settings.service.kind === 'sandbox')
    return [good('service', 'the embedded exchange, in Magpie’s own process: play money, and no key is needed')];
  const { account, baseUrl } = settings.service;
  const trade = tradeUrlFinding(settings, account);
  if (account === undefined)
    return [
      doubt(
        'key',
        'none is set: requests carry none, and most services refuse that',
        'give MAGPIE_API_KEY, in .env or the environment',
      ),
      trade,
    ];
  const locked = lockKey(settings, options.env);
  if (locked?.ok === false)
    return [
      doubt(
        'service',
        `not asked: ${locked.fault.message}`,
        'run the doctor with the data folder of that process, or when it has stopped',
      ),
      trade,
    ];
  try {
    return [...(await asked(options, account, baseUrl)), trade];
  } finally {
    locked?.lock.release();
  }
}

async function asked(options: ServiceOptions, account: AccountSettings, baseUrl: string): Promise<readonly Finding[]> {
  const { settings, clock } = options;
  const { feed, limits } = settings;
  const known = knownOf(settings.data);
  const slow = { asked: false };
  const answers = await answersOf(options, account, known, () => {
    slow.asked = true;
  });
  const { user, listings, health } = answers;
  const now = clock.now();
  const key = keyFindings(user, limits.reserve, known.account);
  const rates = rateFinding(settings, slow.asked, known.slowUntil, now);
  const time = clockFinding(user, known.newestRowAt, now);
  // Without a key that is taken the rest says the same once more.
  if (!user.ok) return [...key, rates, ...(time === undefined ? [] : [time])];
  return [
    good('service', `${baseUrl} answers`),
    ...key,
    listingsFinding(listings, feed.intervalMs),
    ...healthFindings(health, feed.health, now),
    rates,
    ...(time === undefined ? [] : [time]),
  ];
}

function knownOf(folder: string): Known {
  const opened = openReader(folder);
  if (!opened.ok) return { account: undefined, newestRowAt: undefined, slowUntil: undefined };
  const ledger = opened.value;
  try {
    return { account: ledger.account(), newestRowAt: ledger.newestRowAt(), slowUntil: ledger.slowUntil() };
  } finally {
    ledger.close();
  }
}

async function answersOf(
  { settings, clock, random }: ServiceOptions,
  account: AccountSettings,
  { slowUntil }: Known,
  onSlowed: () => void,
): Promise<Answered> {
  const { reads, buys, timeoutMs } = settings.rate;
  const { baseUrl } = settings.service as Extract<Settings['service'], { kind: 'remote' }>;
  const gateway = createGateway({
    ...{ baseUrl, apiKey: account.apiKey, partnerKey: account.partnerKey, tradeUrl: account.tradeUrl },
    ...{ rates: { reads, buys, timeoutMs }, clock, random, log: silent, slowUntil, onSlowed },
  });
  const ending = new AbortController();
  void sleep(clock, LOOK_MS, ending.signal).then(() => ending.abort());
  const { signal } = ending;
  try {
    const { service } = gateway;
    const user = await service.read('user', { signal });
    const health = await service.read('marketHealth', { signal });
    const listings = await service.read('liveListings', { signal });
    return { user, health, listings };
  } finally {
    ending.abort();
    await gateway.close();
  }
}

const silent: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** What is configured against what the service says of it, which is only ever "too many". */
export function rateFinding(
  { rate, feed }: Pick<Settings, 'rate' | 'feed'>,
  refused: boolean,
  slowUntil: EpochMs | undefined,
  now: EpochMs,
): Finding {
  const { reads, buys } = rate;
  const until = believedSlowUntil(slowUntil, now);
  const words = `${reads.perSecond} questions and ${buys.perSecond} purchases a second at most`;
  const next = 'lower rate.reads.perSecond and rate.buys.perSecond, or poll less often (feed.interval)';
  if (refused)
    return bad(
      'rates',
      `${words}, and the service refuses even a few questions`,
      'wait some minutes; if it stays, ask the service what it allows',
    );
  if (until !== undefined && until > now)
    return doubt(
      'rates',
      `${words}, and the service has asked to go slow for another ${Math.ceil((until - now) / 1_000)} s`,
      next,
    );
  const needed = 1_000 / feed.intervalMs + (feed.health.require === 'off' ? 0 : 1_000 / feed.health.intervalMs);
  if (needed > reads.perSecond) {
    const polls = `feed.interval and feed.health.interval alone take ${Number(needed.toFixed(2))} questions a second, more than rate.reads.perSecond (${reads.perSecond}) lets through`;
    return doubt('rates', polls, 'raise rate.reads.perSecond if the service allows it, or the intervals');
  }
  return good('rates', `${words}; the service has not asked for less`);
}

/** Its form alone: only a purchase shows whether the service takes it. */
function tradeUrlFinding({ mode }: Settings, account: AccountSettings | undefined): Finding {
  const url = account?.tradeUrl;
  if (url === undefined) return good('trade URL', mode === 'live' ? 'none' : 'none: needed to go live (MAGPIE_TRADE_URL)');
  const { host, partner } = partsOf(url);
  if (host !== 'steamcommunity.com' && host !== 'www.steamcommunity.com')
    return doubt(
      'trade URL',
      `it leads to ${printable(host, 100)}, which is not Steam`,
      'take it from your own account’s page on Steam',
    );
  return good(
    'trade URL',
    `its form is right; items go to the Steam account with the partner number ${partner}: compare it with yours`,
  );
}

function partsOf(url: Secret): { readonly host: string; readonly partner: string } {
  const { hostname, searchParams } = new URL(url.reveal());
  return { host: hostname, partner: searchParams.get('partner') ?? '' };
}
