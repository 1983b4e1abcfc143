import { describe, expect, it } from 'vitest';
import { NewsQueue, type NewsQueueOptions } from '../../src/app/news-queue.ts';
import type { Alert, AlertKind } from '../../src/domain/alert.ts';
import { JournalFailure } from '../../src/engine/journal.ts';
import { freshLedger } from '../ledger/support.ts';
import { NOON } from '../support/values.ts';
import { VirtualClock } from '../support/virtual-clock.ts';

function alert(kind: AlertKind, message: string): Alert {
  return { kind, at: NOON, message, next: undefined, purchaseId: undefined };
}

function stage(given: Partial<NewsQueueOptions> = {}): {
  readonly ledger: ReturnType<typeof freshLedger>;
  readonly clock: VirtualClock;
  queue(more?: Partial<NewsQueueOptions>): NewsQueue;
} {
  const [ledger, clock] = [freshLedger(), new VirtualClock()];
  const options: NewsQueueOptions = {
    ...{ channel: 'discord', only: undefined, clock, ledger, unkept: () => [], since: 0, keep: (work) => work() },
    ...given,
  };
  return { ledger, clock, queue: (more = {}) => new NewsQueue({ ...options, ...more }) };
}

const shown = (queue: NewsQueue): unknown =>
  queue.waiting()?.groups.map(({ kind, count, newest }) => [kind, count, newest.map(({ message }) => message)]);

describe('the queue of a channel', () => {
  it('holds what has not been told, also after a restart, until it is told', () => {
    const { ledger, queue } = stage();
    const first = queue();
    expect(shown(first)).toBeUndefined();
    ledger.recordAlert(alert('halt', 'a'));
    expect(shown(first)).toEqual([['halt', 1, ['a']]]);
    expect(shown(queue())).toEqual([['halt', 1, ['a']]]);
    first.waiting()?.told();
    expect(shown(first)).toBeUndefined();
    expect(shown(queue())).toBeUndefined();
    expect(shown(queue({ channel: 'telegram' }))).toEqual([['halt', 1, ['a']]]);
  });

  it('holds only the kinds that are told there, and keeps none of the others for a later day', async () => {
    const { ledger, clock, queue } = stage({ only: ['halt'] });
    const some = queue();
    ledger.recordAlert(alert('refund', 'money'));
    expect(shown(some)).toBeUndefined();
    ledger.recordAlert(alert('halt', 'stop'));
    expect(shown(some)).toEqual([['halt', 1, ['stop']]]);
    some.waiting()?.told();
    ledger.recordAlert(alert('refund', 'more money'));
    await clock.advance(60_000);
    expect(shown(some)).toBeUndefined();
    expect(shown(queue({ only: undefined }))).toBeUndefined();
  });

  it('holds what the journal would not take, and not again once that has been told and kept', () => {
    const full = alert('disk', 'The journal cannot be written');
    let unkept: readonly Alert[] = [full];
    const { ledger, queue } = stage({ unkept: () => unkept });
    const some = queue({ keep: () => undefined });
    expect(shown(some)).toEqual([['disk', 1, [full.message]]]);
    some.waiting()?.told();
    expect(shown(some)).toBeUndefined();
    ledger.recordAlert(full);
    unkept = [];
    expect(shown(some)).toBeUndefined();
    ledger.recordAlert(alert('disk', 'again'));
    expect(shown(some)).toEqual([['disk', 1, ['again']]]);
  });

  it('holds nothing of the ledger while that cannot be read, and goes on where it was', () => {
    const { ledger, queue } = stage();
    let broken = true;
    const newsAfter: typeof ledger.newsAfter = (cursor) => {
      if (broken) throw new JournalFailure('the disk is gone');
      return ledger.newsAfter(cursor);
    };
    const some = queue({ ledger: { ...ledger, newsAfter } });
    ledger.recordAlert(alert('halt', 'a'));
    expect(shown(some)).toBeUndefined();
    broken = false;
    expect(shown(some)).toEqual([['halt', 1, ['a']]]);
  });
});
