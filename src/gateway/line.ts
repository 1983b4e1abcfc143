import type { Clock } from '../domain/clock.ts';
import type { Random } from '../domain/random.ts';
import type { Secret } from '../domain/secret.ts';
import { serviceMessage } from '../domain/text.ts';
import type { Log } from '../engine/ports.ts';
import type { Backoff } from './backoff.ts';
import type { Pace } from './pace.ts';
import type { Clean } from './said.ts';
import type { Base } from './target.ts';

/** What the reads and the buys of the account have in common: a venue is made from it, and shares rate and back-off with the reads. */
export interface Line {
  readonly base: Base;
  readonly key: Secret;
  /** For one request, from its dispatch to the last byte of its answer, milliseconds. */
  readonly timeoutMs: number;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** Every secret of the gateway. */
  readonly secrets: readonly Secret[];
  readonly backoff: Backoff;
  readonly buys: Pace;
}

/** Headers of every request of ours; without a key only where a test of the service asks for that. */
export function headersFor(key: Secret | undefined, body: Buffer | undefined, acceptEncoding: string): Record<string, string> {
  return {
    ...(key && { 'x-api-key': key.reveal() }),
    accept: 'application/json',
    'accept-encoding': acceptEncoding,
    'user-agent': 'magpie',
    ...(body && { 'content-type': 'application/json' }),
  };
}

/** Makes the service's words fit to be kept. Secrets go before anything is cut off: half a key is a secret too. */
export function cleaner(scrub: (text: string) => string): Clean {
  return (text) => serviceMessage(scrub(text));
}

const wordy: ReadonlySet<string> = new Set([
  ...['message', 'code', 'requestId', 'mismatch', 'orderStatus'],
  // As in the lists of orders, so that one is found by the other.
  ...['serviceOrderId', 'upstreamOrderId'],
]);

/** The same fault or outcome with its words scrubbed, since it is shown and stored. */
export function scrubbed<T extends object>(value: T, scrub: (text: string) => string): T {
  const entries = Object.entries(value).map(([name, field]: [string, unknown]) => [
    name,
    typeof field === 'string' && wordy.has(name) ? scrub(field) : field,
  ]);
  return Object.fromEntries(entries) as T;
}
