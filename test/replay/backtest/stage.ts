import type { BuyOutcome } from '../../../src/domain/outcome.ts';
import type { Attempt } from '../../../src/replay/inputs.ts';
import { loadHistory } from '../../../src/replay/backtest/load-history.ts';
import type { MarketHistory } from '../../../src/replay/backtest/market-history.ts';
import { Recording } from '../../../src/replay/recordings.ts';
import { Polls, START, entry } from '../../support/feed-entries.ts';
import { recordingPath, tapeAt } from '../recording.ts';

/** A sound entry below half of its steamPrice. */
export function bargain(id: string, fields: Record<string, unknown> = {}): Record<string, unknown> {
  return entry({ id, marketHashName: `Case ${id}`, price: 10, priceWithFee: 10.5, steamPrice: 30, ...fields });
}

type Look = readonly unknown[] | 'fails';

/** Records what each poll shows, one a second from START on; the daemon's account holds $1,000, all is healthy. */
export function recorded(looks: readonly Look[], attempts: readonly Attempt[] = []): string {
  const path = recordingPath();
  const { tape } = tapeAt(path);
  const polls = new Polls();
  tape.input('balance', START + 500, { amount: 1_000_000_000 as never, beganAt: START + 400, endedAt: START + 500 });
  for (const [index, look] of looks.entries()) {
    const at = START + (index + 1) * 1_000 - 10;
    tape.input('health', at, {
      status: 'ok',
      markets: { c5game: { status: 'ok', staleMs: 0, service: true }, ecosteam: { status: 'ok', staleMs: 0, service: true } },
      receivedAt: at,
    });
    for (const attempt of attempts) if (attempt.pollSeq === index) tape.input('attempt', at, attempt);
    tape.poll(look === 'fails' ? polls.fail() : polls.next(look));
  }
  tape.close(START + (looks.length + 1) * 1_000);
  return path;
}

/** A recording as a backtest reads it; everything is of interest. */
export function historyOf(path: string, from = START, to = Number.MAX_SAFE_INTEGER): MarketHistory {
  const recording = new Recording(path);
  try {
    const covered = recording.coverage();
    const span = { from: covered[0]?.from ?? from, to: covered.at(-1)?.to ?? to };
    return loadHistory({
      recordings: [recording],
      from: Math.max(from, span.from),
      to: Math.min(to, span.to),
      interest: () => true,
    });
  } finally {
    recording.close();
  }
}

/** One live buy of ours as it went. */
export function attempt(id: string, at: number, outcome: 'bought' | 'gone', pollSeq: number): Attempt {
  const bought: BuyOutcome = {
    kind: 'bought',
    ...{ serviceOrderId: 'o', upstreamOrderId: undefined, orderStatus: 'SUCCESS' },
    ...{ message: undefined, mismatch: undefined, requestId: undefined },
  };
  const gone: BuyOutcome = {
    ...{ kind: 'refused', cause: 'gone' },
    ...{ status: 409, code: undefined, message: '' },
    ...{ requestId: undefined, retryAfterMs: undefined },
  };
  return {
    ...{ purchaseId: 1, lane: 'live', strategy: 'cheap', market: 'c5game', listingId: id, pollSeq },
    timings: { seenAt: at - 20, decidedAt: at - 10, committedAt: at - 9, sentAt: at - 8, answeredAt: at },
    outcome: outcome === 'bought' ? bought : gone,
  };
}
