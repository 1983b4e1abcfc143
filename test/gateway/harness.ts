import { afterEach } from 'vitest';
import { Secret } from '../../src/domain/secret.ts';
import { seededRandom } from '../../src/domain/random.ts';
import type { Clock } from '../../src/domain/clock.ts';
import type { Log } from '../../src/engine/ports.ts';
import type { Slowed } from '../../src/gateway/backoff.ts';
import { createGateway, type Gateway, type GatewayOptions } from '../../src/gateway/gateway.ts';
import { createVenue, type KeptBack, type LiveVenue } from '../../src/gateway/venue.ts';
import { HostileServer, type Manners } from './hostile-server.ts';

/** Keys that must be found nowhere but in their header or body. */
export const CANARY_KEY = 'canary-account-key-5f2d81';
export const CANARY_PARTNER = 'canary-partner-key-90ab3c';
export const CANARY_TOKEN = 'canaryTradeToken';
export const tradeUrl = new Secret(`https://trade.example/tradeoffer/new/?partner=123456&token=${CANARY_TOKEN}`);

/** The machine's own clock. */
export const realClock: Clock = {
  now: () => performance.timeOrigin + performance.now(),
  wall: () => Date.now(),
  mono: () => performance.now(),
  after(ms, work) {
    const timer = setTimeout(work, ms);
    return () => clearTimeout(timer);
  },
};

export interface Told {
  readonly slowed: Slowed[];
  readonly lines: string[];
}

/** A gateway on the given address, with quick rates and what it told the outside. */
function gatewayTo(baseUrl: string, more: Partial<GatewayOptions> = {}): Gateway & Told {
  const slowed: Slowed[] = [];
  const lines: string[] = [];
  const write = (event: string, fields?: object): void => void lines.push(JSON.stringify({ event, ...fields }));
  const log: Log = { info: write, warn: write, error: write };
  const gateway = createGateway({
    baseUrl,
    apiKey: new Secret(CANARY_KEY),
    partnerKey: undefined,
    tradeUrl,
    rates: { reads: { perSecond: 1_000, concurrent: 10 }, buys: { perSecond: 1_000, concurrent: 10 }, timeoutMs: 2_000 },
    clock: realClock,
    random: seededRandom(1),
    log,
    slowUntil: undefined,
    onSlowed: (event) => void slowed.push(event),
    ...more,
  });
  return { ...gateway, slowed, lines };
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, ms));
}

/** Waits until it holds, two seconds at most. */
export async function until(holds: () => boolean): Promise<void> {
  for (let tries = 0; tries < 400 && !holds(); tries++) await pause(5);
  if (!holds()) throw new Error('it did not come to hold within two seconds');
}

/** A server with the given manners and what talks to it, all closed after the test, last opened first. */
export interface Scene {
  readonly server: HostileServer;
  readonly gateway: Gateway & Told;
  /** Makes a venue; each call another one. Nothing is kept back without `keptBack`. */
  venue(keptBack?: KeptBack): LiveVenue;
}

/** What differs from the harness's own options, or how that follows from the server's address. */
export type Options = Partial<GatewayOptions> | ((url: string) => Partial<GatewayOptions>);

/** Called at the top of a test file; the function it returns opens a scene. */
export function scenes(): (manners: Manners, more?: Options) => Promise<Scene> {
  const closing: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });
  return async (manners, more = {}) => {
    const server = await HostileServer.start(manners);
    closing.push(() => server.close());
    const gateway = gatewayTo(server.url, typeof more === 'function' ? more(server.url) : more);
    closing.push(() => gateway.close());
    return { server, gateway, venue: (keptBack) => venueOf(gateway, closing, keptBack) };
  };
}

function venueOf(gateway: Gateway, closing: (() => Promise<void>)[], keptBack: KeptBack = () => undefined): LiveVenue {
  const venue = createVenue(gateway.line, tradeUrl, keptBack);
  closing.push(() => venue.close());
  return venue;
}

/** Quick rates and the given deadline for one request. */
export function within(timeoutMs: number): Partial<GatewayOptions> {
  return { rates: { reads: { perSecond: 1_000, concurrent: 10 }, buys: { perSecond: 1_000, concurrent: 10 }, timeoutMs } };
}

/** For a buy that must not be answered late. */
export const never = (): never => {
  throw new Error('there is no late answer');
};
