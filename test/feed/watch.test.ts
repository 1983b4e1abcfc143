import { describe, expect, it } from 'vitest';
import { sleep } from '../../src/domain/clock.ts';
import type { HealthMissing, HealthReading } from '../../src/domain/readings.ts';
import type { ReadName, ReadRequest, Service } from '../../src/engine/ports.ts';
import type { EarlyChange, PollResult } from '../../src/engine/snapshot.ts';
import type { BalanceAnswer } from '../../src/engine/balance-answer.ts';
import {
  readBalanceOnce,
  readHealthOnce,
  readListingsOnce,
  watchBalance,
  watchHealth,
  watchListings,
} from '../../src/feed/watch.ts';
import { entry } from '../support/feed-entries.ts';
import { VirtualClock } from '../support/virtual-clock.ts';

type Answers = Partial<Record<ReadName, (time: number) => unknown>>;

/** A service that answers after 40 ms with what the test gives, and refuses the connection where it throws. */
class ScriptedService {
  readonly asked: { name: string; key: string | undefined; signal: AbortSignal | undefined }[] = [];
  readonly #clock: VirtualClock;
  readonly #answers: Answers;

  constructor(clock: VirtualClock, answers: Answers) {
    this.#clock = clock;
    this.#answers = answers;
  }

  readonly read = (async (name, request) => {
    const time = this.asked.filter((asked) => asked.name === name).length;
    this.asked.push({ name, key: request?.key, signal: request?.signal });
    const beganAt = this.#clock.now();
    await sleep(this.#clock, 40);
    const endedAt = this.#clock.now();
    const data = this.#answers[name]?.(time);
    if (data === undefined) {
      const nothing = { status: undefined, code: undefined, requestId: undefined, retryAfterMs: undefined };
      return {
        ok: false,
        beganAt,
        endedAt,
        fault: { class: 'transient', cause: 'connection', sent: false, message: 'refused', ...nothing },
      };
    }
    return { ok: true, beganAt, endedAt, status: 200, requestId: `${name}-${time}`, serviceDate: endedAt, bytes: 123, data };
  }) as Service['read'];
}

/** A listing appears, a poll fails, the listing is repriced, it is gone. */
const fourPolls: Answers = {
  liveListings: (time) =>
    [{ listings: [entry()] }, undefined, { listings: [entry({ price: 9 })] }, { listings: [], listingsCount: 0 }][time],
};

/** A service that shows one more listing in each answer, first of all and twice before its end; the third breaks off. */
function arriving(clock: VirtualClock): Service {
  const shown = ['1', '2', '3', '3'].map((newest) =>
    [newest, '1', '2'].filter((id, at, all) => id <= newest && all.indexOf(id) === at),
  );
  let asked = 0;
  return {
    read: (async (_, request) => {
      const listings = shown[asked++]?.map((id) => entry({ id })) ?? [];
      const data = { listings, listingsCount: listings.length };
      const early = request?.early as ReadRequest<'liveListings'>['early'];
      const times = { beganAt: clock.now(), endedAt: clock.now() };
      const reply = { ok: true as const, ...times, status: 200, requestId: `r-${asked}`, serviceDate: undefined, bytes: 1, data };
      for (let look = 0; look < 2; look++) early?.(reply);
      if (asked !== 3) return reply;
      const fault = { class: 'transient', cause: 'connection', sent: true, message: 'it broke off' };
      const nothing = { status: undefined, code: undefined, requestId: undefined, retryAfterMs: undefined };
      return { ok: false, ...times, fault: { ...fault, ...nothing } };
    }) as Service['read'],
  };
}

describe('watching the live listings', () => {
  it('hands on what each poll changed, and goes on after one that failed', async () => {
    const clock = new VirtualClock();
    const service = new ScriptedService(clock, fourPolls);
    const seen: PollResult[] = [];
    const began = clock.now();
    const listening = watchListings({ service, clock, intervalMs: 1_000 }).subscribe((result) => seen.push(result));
    await clock.advance(3_500);
    listening.unsubscribe();
    expect(
      seen.map((result) => [
        result.facts.seq,
        result.facts.beganAt - began,
        result.ok ? result.change.changed.map(({ kind }) => kind) : result.fault.cause,
      ]),
    ).toEqual([
      [1, 0, ['appeared']],
      [2, 1_000, 'connection'],
      [3, 2_000, ['repriced']],
      [4, 3_000, []],
    ]);
    expect(seen[0]?.facts).toMatchObject({ status: 200, bytes: 123, count: 1, requestId: 'liveListings-0' });
    expect(seen[3]?.ok && seen[3].change.gone).toEqual(['c5game:800000037']);
  });

  it('knows nothing yet for each new listener', async () => {
    const clock = new VirtualClock();
    const watched = watchListings({
      service: new ScriptedService(clock, { liveListings: () => ({ listings: [entry()] }) }),
      clock,
      intervalMs: 1_000,
    });
    for (let listener = 0; listener < 2; listener++) {
      const seen: PollResult[] = [];
      const listening = watched.subscribe((result) => seen.push(result));
      await clock.advance(100);
      listening.unsubscribe();
      expect(seen).toMatchObject([{ ok: true, change: { first: true, changed: [{ kind: 'appeared' }] } }]);
    }
  });

  it('hands on what an answer shows before its end, where it is read as a stream', async () => {
    for (const parse of ['stream', 'slices'] as const) {
      const clock = new VirtualClock();
      const told: string[] = [];
      const service = arriving(clock);
      const onEarly = ({ pollSeq, changed }: EarlyChange): void => {
        told.push(`early ${pollSeq}: ${changed.map(({ listing }) => listing.id).join()}`);
      };
      const listening = watchListings({ service, clock, intervalMs: 1_000, parse, onEarly }).subscribe(({ facts, ok, change }) =>
        told.push(`${ok ? 'whole' : 'failed'} ${facts.seq}: ${change?.changed.map(({ listing }) => listing.id).join() ?? ''}`),
      );
      await clock.advance(3_500);
      listening.unsubscribe();
      const early = ['whole 1: 1', 'early 2: 2', 'whole 2: 2', 'early 3: 3', 'failed 3: 3', 'whole 4: '];
      expect(told).toEqual(parse === 'stream' ? early : ['whole 1: 1', 'whole 2: 2', 'failed 3: ', 'whole 4: 3']);
    }
  });

  it('turns a defect in looking at an answer that arrives into a failed poll, and looks no more', async () => {
    const clock = new VirtualClock();
    const seen: PollResult[] = [];
    let looks = 0;
    const onEarly = (): void => {
      looks += 1;
      throw new Error('a defect');
    };
    const watched = watchListings({ service: arriving(clock), clock, intervalMs: 1_000, parse: 'stream', onEarly });
    const listening = watched.subscribe((result) => seen.push(result));
    await clock.advance(1_500);
    listening.unsubscribe();
    expect(seen).toMatchObject([{ ok: true }, { ok: false, fault: { message: 'a defect' } }]);
    expect(looks).toBe(1);
  });

  it('turns a defect in reading an answer into a failed poll [P31]', async () => {
    const clock = new VirtualClock();
    const seen: PollResult[] = [];
    const broken = { liveListings: () => ({ listings: null }) };
    const listening = watchListings({ service: new ScriptedService(clock, broken), clock, intervalMs: 1_000 }).subscribe(
      (result) => seen.push(result),
    );
    await clock.advance(1_500);
    listening.unsubscribe();
    expect(seen).toMatchObject([
      { ok: false, facts: { seq: 1 }, fault: { class: 'transient' } },
      { ok: false, facts: { seq: 2 } },
    ]);
  });
});

describe('watching health and balance', () => {
  it('asks for health with the partner key, at its own pace', async () => {
    const clock = new VirtualClock();
    const service = new ScriptedService(clock, { marketHealth: () => ({ status: 'ok', markets: {}, service: {} }) });
    const seen: (HealthReading | HealthMissing)[] = [];
    const listening = watchHealth({ service, clock, intervalMs: 5_000 }).subscribe((health) => seen.push(health));
    await clock.advance(11_000);
    listening.unsubscribe();
    expect(seen).toHaveLength(3);
    expect(service.asked.map(({ key }) => key)).toEqual(['partner', 'partner', 'partner']);
    expect(service.asked.every(({ signal }) => signal?.aborted)).toBe(true);
  });

  it('asks for the balance at its own pace', async () => {
    const clock = new VirtualClock();
    const service = new ScriptedService(clock, {
      user: (time) => (time === 1 ? undefined : { type: 'user', profile: { id: 'a', balance: 5 } }),
    });
    const seen: BalanceAnswer[] = [];
    const listening = watchBalance({ service, clock, intervalMs: 15_000 }).subscribe((balance) => seen.push(balance));
    await clock.advance(31_000);
    listening.unsubscribe();
    expect(seen.map(({ ok }) => ok)).toEqual([true, false, true]);
  });
});

describe('asking once', () => {
  it('gives one answer of each kind', async () => {
    const clock = new VirtualClock();
    const service = new ScriptedService(clock, {
      ...fourPolls,
      user: () => ({ type: 'user', profile: { id: 'a', balance: 5 } }),
    });
    const { signal } = new AbortController();
    const answers = Promise.all([
      readListingsOnce({ service, clock }, signal),
      readHealthOnce({ service, clock }, signal),
      readBalanceOnce({ service, clock }, signal),
    ]);
    await clock.advance(50);
    expect(await answers).toMatchObject([
      { ok: true, change: { first: true } },
      { reason: 'failed' },
      { ok: true, profileId: 'a' },
    ]);
    expect(service.asked).toHaveLength(3);
  });
});
