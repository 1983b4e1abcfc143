import type { Clock } from '../domain/clock.ts';
import type { Letter } from './letter.ts';

export const channelNames = ['discord', 'telegram', 'webhook', 'command'] as const;

export type ChannelName = (typeof channelNames)[number];

/** What became of a letter. Messages hold no secret and nothing that a terminal could mind. */
export type Sent =
  | { readonly ok: true }
  /** It may go at another time, at the earliest after `retryAfterMs` where that was said. */
  | { readonly ok: false; readonly kind: 'transient'; readonly message: string; readonly retryAfterMs: number | undefined }
  /** It will be refused again until a person changes something, or because of what it says. */
  | { readonly ok: false; readonly kind: 'refused'; readonly message: string; readonly next: string };

/** Where a person is told. */
export interface Channel {
  readonly name: ChannelName;
  /** Never rejects. Whoever aborts the signal does not learn whether it arrived. */
  send(letter: Letter, signal: AbortSignal): Promise<Sent>;
}

export interface ChannelSurroundings {
  readonly clock: Clock;
  /** Of the process: what a command is given of it is chosen by name. */
  readonly env: Readonly<Record<string, string | undefined>>;
}
