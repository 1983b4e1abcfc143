import { setTimeout as sleep } from 'node:timers/promises';
import { PermitPump } from '../../../src/app/permit-pump.ts';
import { SystemClock } from '../../../src/app/system-clock.ts';
import { systemRandom } from '../../../src/app/system-random.ts';
import { Secret } from '../../../src/domain/secret.ts';
import { createGateway } from '../../../src/gateway/gateway.ts';
import { type Figure, figure, time } from '../figure.ts';
import { LimiterFloor } from '../floors/limiter.ts';
import { median, quantile } from '../statistics.ts';

const SPACING_MS = 20;

/** Row six: what the limiter takes when a buy is decided and nothing is in its way. */
export async function limiterRow(part: number): Promise<readonly Figure[]> {
  const stop = new AbortController();
  const { pump, given, close } = ours(stop.signal);
  const bottleneck = new LimiterFloor(SPACING_MS);
  const floorMs: number[] = [];
  const oursMs: number[] = [];
  for (let round = 0; round < Math.ceil(200 * part); round++) {
    await given();
    await sleep(SPACING_MS * 1.5);
    const decided = performance.now();
    const permit = pump.claim();
    permit.begin();
    oursMs.push(performance.now() - decided);
    permit.done();
    floorMs.push(await bottleneck.waitMs());
  }
  stop.abort();
  await close();
  return [
    figure(
      {
        ...{ id: 'limiter-p50', what: 'limiter on an idle queue before the POST, p50', unit: 'ms', value: median(oursMs) },
        ...{ floor: time(median(floorMs)), ours: time(median(oursMs)) },
      },
      0.1,
    ),
    figure({
      ...{ id: 'limiter-p99', what: 'limiter on an idle queue before the POST, p99', unit: 'ms', value: quantile(oursMs, 0.99) },
      ...{ floor: time(quantile(floorMs, 0.99)), ours: time(quantile(oursMs, 0.99)) },
    }),
  ];
}

/** The permits of a gateway, taken beforehand as the bot takes them. `given` resolves when the next one is held. */
function ours(signal: AbortSignal): { pump: PermitPump; given: () => Promise<void>; close: () => Promise<void> } {
  const rate = { perSecond: 1_000 / SPACING_MS, concurrent: 1 };
  const gateway = createGateway({
    ...{ baseUrl: 'http://127.0.0.1:9', apiKey: new Secret('none'), partnerKey: undefined, tradeUrl: undefined },
    rates: { reads: rate, buys: rate, timeoutMs: 1_000 },
    clock: new SystemClock(),
    random: systemRandom,
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    slowUntil: undefined,
    onSlowed: () => undefined,
  });
  let held = 0;
  let onHeld: (() => void) | undefined;
  const pump = new PermitPump(gateway.permits, () => {
    held++;
    onHeld?.();
  });
  pump.start(signal).catch(() => undefined);
  const given = async (): Promise<void> => {
    if (held === 0) await new Promise<void>((resolve) => (onHeld = resolve));
    held--;
  };
  return { pump, given, close: gateway.close };
}
