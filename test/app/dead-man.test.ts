import { describe, expect, it, onTestFinished } from 'vitest';
import { DeadMan } from '../../src/app/monitoring/dead-man.ts';
import type { Alert } from '../../src/domain/alert.ts';
import { Secret } from '../../src/domain/secret.ts';
import { HostileServer, type Manners, answering } from '../gateway/hostile-server.ts';
import { VirtualClock } from '../support/virtual-clock.ts';
import { PATIENCE_MS, within } from './stage.ts';

const minute = 60_000;

/** Pings a server every five minutes of a clock that the test moves. */
async function pinging(manners: Manners) {
  const server = await HostileServer.start(manners);
  const [clock, ending] = [new VirtualClock(), new AbortController()];
  const [rung, over, taken, lines]: [Alert[], string[], boolean[], unknown[]] = [[], [], [], []];
  const state = { ready: true, begun: 0 };
  const keep = (...words: unknown[]): void => void lines.push(words);
  const deadMan = new DeadMan({
    url: new Secret(`${server.url}/ping/0123456789abcdef`),
    everyMs: 5 * minute,
    clock,
    log: { info: keep, warn: keep, error: keep },
    bell: { once: (_, alert) => void rung.push(alert), again: (cause) => void over.push(cause) },
    // Asked only when a ping is due.
    isReady: () => {
      if (state.ready) state.begun += 1;
      return state.ready;
    },
    onPing: (one) => void taken.push(one),
  });
  const running = deadMan.run(ending.signal);
  onTestFinished(async () => {
    ending.abort();
    await running;
    await server.close();
  });
  /** Lets so many seconds pass, and each ping that falls due come to its end. */
  const pass = async (seconds: number): Promise<void> => {
    for (let at = 0; at < seconds; at++) {
      await clock.advance(1_000);
      if (taken.length < state.begun) await within(() => taken.length === state.begun, PATIENCE_MS);
    }
  };
  return { server, state, rung, over, taken, lines, pass };
}

describe('the dead man’s ping', () => {
  it('comes at once, then every so many minutes while nothing is late, and at once when nothing is late any more', async () => {
    const { server, state, taken, pass } = await pinging(answering(200, 'OK'));
    await pass(10);
    expect(server.requests.map(({ method, path }) => [method, path])).toEqual([['GET', '/ping/0123456789abcdef']]);
    await pass(295);
    expect(taken).toEqual([true, true]);
    state.ready = false;
    await pass(400);
    expect(server.requests).toHaveLength(2);
    state.ready = true;
    await pass(2);
    expect(taken).toEqual([true, true, true]);
  });

  it('that is not taken is tried again after half a minute; a person is told after three, once, and of nothing secret', async () => {
    const { server, rung, over, lines, taken, pass } = await pinging(answering(503, 'no 0123456789abcdef'));
    await pass(95);
    expect(taken).toEqual([false, false, false, false]);
    expect(rung.map(({ kind, message }) => [kind, message])[0]).toEqual([
      'monitoring',
      'deadMan.url takes no pings, so whoever waits for them will say that Magpie is down: status 503: no ***',
    ]);
    expect(lines).toEqual([['dead-man-failing', { message: 'status 503: no ***' }]]);
    server.behave(answering(200, 'OK'));
    await pass(31);
    expect([taken.at(-1), over]).toEqual([true, ['dead-man']]);
  });
});
