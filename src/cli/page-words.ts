import type { SettingsRequest } from '../settings/load.ts';

/** What the thread of the page is started with. */
export interface PageOrder {
  readonly host: string;
  readonly port: number;
  readonly token: string;
  /** The data folder. */
  readonly folder: string;
  /** The names of the accounts; none where the configuration is for one. */
  readonly accounts: readonly string[];
  readonly request: SettingsRequest;
}

/** What it says of itself. */
export type PageWord =
  | { readonly kind: 'listening'; readonly address: string }
  | { readonly kind: 'unheard'; readonly message: string }
  | { readonly kind: 'resumed'; readonly reason: string; readonly account?: string | undefined };

/** A thread that serves the page. */
export interface PageThread {
  onWord(work: (word: PageWord) => void): void;
  /** It has ended by itself, with these words. */
  onEnd(work: (message: string) => void): void;
  stop(): void;
}
