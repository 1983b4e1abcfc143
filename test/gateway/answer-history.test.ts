import { describe, expect, it } from 'vitest';
import { AnswerHistory, type AnswerMark } from '../../src/gateway/answer-history.ts';
import { scenes } from './harness.ts';
import { answering, httpAnswer } from './hostile-server.ts';

const START = Date.UTC(2026, 0, 5, 12);
const second = 1_000;
const minute = 60 * second;

/** Answers by our clock: asked for and given within 50 ms, and dated as a service would whose clock is right, in whole seconds. */
class Answers {
  readonly history = new AnswerHistory();
  #count = 0;

  at(ms: number, given: Partial<AnswerMark> = {}, endpoint = 'orders'): string | undefined {
    const beganAt = START + ms;
    const serviceDate = dated(ms);
    this.#count += 1;
    return this.history.note(endpoint, {
      ...{ requestId: `r-${this.#count}`, serviceDate, beganAt, endedAt: beganAt + 50 },
      ...given,
    });
  }
}

const dated = (ms: number): number => Math.floor((START + ms) / second) * second;
const untold = { requestId: undefined, serviceDate: undefined };

describe('an answer is an old one given again', () => {
  it('when its request id was seen before, however often others came in between [N34]', () => {
    const answers = new Answers();
    expect(answers.at(0, { requestId: 'a' })).toBeUndefined();
    expect(answers.at(second, { requestId: 'b' })).toBeUndefined();
    expect(answers.at(2 * second, { requestId: 'a' })).toMatchInlineSnapshot(
      `"an answer seen before was given again (same requestId): something on the way caches"`,
    );
    expect(answers.at(3 * second, { requestId: 'b' })).toContain('same requestId');
    expect(answers.at(4 * second)).toBeUndefined();
  });

  it('when its Age says that it lay in a cache for more than half a minute', () => {
    const answers = new Answers();
    expect(answers.at(0, { ageMs: 30_000 })).toBeUndefined();
    expect(answers.at(0, { ageMs: 3_600_000 })).toMatchInlineSnapshot(
      `"the answer had lain in a cache on the way for 3600 s, by its own Age"`,
    );
  });

  it('when its Date is older than the others’, of whatever endpoint [N34]', () => {
    const answers = new Answers();
    for (const [n, endpoint] of ['liveListings', 'user', 'orders'].entries()) answers.at(n * second, {}, endpoint);
    expect(answers.at(3 * second, { serviceDate: dated(-3_600_000) }, 'marketHealth')).toMatchInlineSnapshot(
      `"the answer is 3603 s older than others, by its own Date"`,
    );
    expect(answers.at(4 * second, { serviceDate: dated(-20 * second) }, 'marketHealth')).toBeUndefined();
  });

  it('when its Date stands still, though it has no request id and nothing else was asked', () => {
    const answers = new Answers();
    const said = Array.from({ length: 20 }, (_, n) => answers.at(n * 15 * second, { requestId: undefined, serviceDate: START }));
    expect(said.slice(0, 3)).toEqual([undefined, undefined, undefined]);
    expect(said.slice(5).filter((why) => why === undefined)).toEqual([]);
  });
});

describe('an answer is a new one', () => {
  it('when it tells neither request id nor Date', () => {
    const answers = new Answers();
    for (let n = 0; n < 5; n++) expect(answers.at(n * minute, untold)).toBeUndefined();
  });

  it('when another endpoint counts its requests by the same ids', () => {
    const answers = new Answers();
    expect(answers.at(0, { requestId: '1' }, 'orders')).toBeUndefined();
    expect(answers.at(0, { requestId: '1' }, 'user')).toBeUndefined();
  });

  it('when the servers behind one name differ by seconds', () => {
    const answers = new Answers();
    for (let n = 0; n < 20; n++)
      expect(answers.at(n * second, { serviceDate: dated(n * second - (n % 3) * 12_000) })).toBeUndefined();
  });

  it('when questions overlap and it was slow to come', () => {
    const answers = new Answers();
    for (let n = 0; n < 10; n++) answers.at(n * 30 * second);
    const late = { serviceDate: dated(60 * second), beganAt: START + 60 * second, endedAt: START + 300 * second };
    expect(answers.at(0, late)).toBeUndefined();
  });

  it('when this machine was suspended before it', () => {
    const answers = new Answers();
    for (let n = 0; n < 5; n++) answers.at(n * second);
    for (let n = 5; n < 200; n++) expect(answers.at(n * second, { serviceDate: dated(n * second + 3_600_000) })).toBeUndefined();
  });

  it('whatever absurd Date one before it had: that costs its own answers at most [N35 P32]', () => {
    const answers = new Answers();
    for (let n = 0; n < 3; n++) answers.at(n * second);
    expect(answers.at(3 * second, { serviceDate: Date.UTC(2099, 0) })).toBeUndefined();
    expect(answers.at(4 * second)).toBeUndefined();
    expect(answers.at(5 * second, { serviceDate: 0 })).toContain('by its own Date');
    expect(answers.at(6 * second)).toBeUndefined();
    expect(answers.at(7 * second, { serviceDate: undefined })).toBeUndefined();
  });

  it('when the very first had an absurd Date, after one poll', () => {
    const answers = new Answers();
    answers.at(0, { serviceDate: Date.UTC(2099, 0) });
    expect(answers.at(second)).toContain('by its own Date');
    expect(answers.at(2 * second)).toBeUndefined();
  });

  it('when the clock over there was set back by an hour, after two minutes at most', () => {
    const answers = new Answers();
    for (let n = 0; n < 60; n++) answers.at(n * 5 * second);
    const back = (n: number): string | undefined =>
      answers.at(n * 5 * second, { serviceDate: dated(n * 5 * second - 3_600_000) });
    const said = Array.from({ length: 60 }, (_, n) => back(60 + n));
    expect(said[0]).toContain('by its own Date');
    expect(said.slice(24).filter((why) => why !== undefined)).toEqual([]);
  });
});

describe('a read', () => {
  const scene = scenes();
  const profile = { type: 'apiKey', profile: { id: 'a', balance: 1_000 } };
  const envelope = (requestId: string): object => ({ requestId, success: true, data: profile });

  it('is refused an old answer, as a failure that may pass [N34]', async () => {
    const { gateway } = await scene(answering(200, envelope('r-1')));
    expect(await gateway.service.read('user')).toMatchObject({ ok: true, data: profile });
    expect(await gateway.service.read('user')).toMatchObject({
      ok: false,
      fault: { class: 'transient', cause: 'stale', sent: true, status: 200, requestId: 'r-1' },
    });
  });

  it('counts as asked for when its answer went into a cache', async () => {
    const answer = httpAnswer(200, JSON.stringify(envelope('r-1')), { age: '20' });
    const { gateway } = await scene({ answer: (socket) => void socket.write(answer) });
    const { ok, beganAt, endedAt } = await gateway.service.read('user');
    expect([ok, endedAt - beganAt]).toEqual([true, 20_000]);
  });

  it('asks caches on the way to stand aside', async () => {
    const { server, gateway } = await scene(answering(200, envelope('r-1')));
    await gateway.service.read('user');
    expect(server.requests).toMatchObject([{ headers: { 'cache-control': 'no-cache' } }]);
  });
});
