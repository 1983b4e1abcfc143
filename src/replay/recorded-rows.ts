import type { EpochMs } from '../domain/clock.ts';
import type { EarlierPoll, RecordedEvent, RecordedPoll } from './moment.ts';
import type { StoredEvent } from './stored-events.ts';

/** A poll as it lies in a recording. */
export interface PollRow {
  readonly row: number;
  readonly seq: number;
  readonly beganAt: EpochMs;
  readonly endedAt: EpochMs;
  readonly outcome: string;
  readonly complete: number;
  readonly first: number;
  readonly status: number | null;
  readonly bytes: number | null;
  readonly count: number | null;
  readonly bad: number | null;
  readonly requestId: string | null;
  readonly serviceDate: number | null;
  readonly message: string | null;
  /** Row of the last event that it or any poll before it had. */
  readonly lastEvent: number;
}

/** What makes a `PollRow`, from the table. */
export const POLL_COLUMNS = `id AS row, seq, began_at AS beganAt, ended_at AS endedAt, outcome, complete, first, status, bytes, count, bad,
  request_id AS requestId, service_date AS serviceDate, message, last_event AS lastEvent FROM poll`;

export function recorded(event: StoredEvent, pollSeq: number | undefined, afterPollAt: EpochMs | undefined): RecordedEvent {
  const { kind, at, market, listing, position, chunk, text, reason, passedOver } = event;
  return {
    ...(passedOver === undefined ? {} : { passedOver }),
    ...{ kind, at, market, id: listing, pollSeq, afterPollAt },
    ...{ position: position ?? undefined, chunk: chunk ?? undefined, text: text ?? undefined, reason: reason ?? undefined },
  };
}

export function pollOf(row: PollRow, after: EarlierPoll | undefined, events: readonly RecordedEvent[]): RecordedPoll {
  const { seq, beganAt, endedAt, outcome, status, bytes, count, bad, requestId, serviceDate, message } = row;
  return {
    ...{ seq, beganAt, endedAt, outcome, complete: row.complete === 1, first: row.first === 1 },
    ...{ status: status ?? undefined, bytes: bytes ?? undefined, count: count ?? undefined, bad: bad ?? undefined },
    ...{ requestId: requestId ?? undefined, serviceDate: serviceDate ?? undefined, message: message ?? undefined },
    ...{ after, events },
  };
}
