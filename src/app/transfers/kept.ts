/** Where a transfer goes and how much it moves, as the API has it. */
export interface TransferBody {
  readonly toEmail?: string | undefined;
  readonly toApiKeyId?: string | undefined;
  readonly amountCents: number;
}

/** What is written down of a transfer before it is sent. */
export interface KeptTransfer extends TransferBody {
  /** What it is for: one purpose moves money once. */
  readonly purpose: string;
  readonly idempotencyKey: string;
}

/** What the service answered to a transfer that it made. */
export interface TransferAnswer {
  readonly data: unknown;
  readonly status: number;
  readonly requestId: string | undefined;
}

export interface Found {
  /** What stands under the purpose: what was given, or what was there before. */
  readonly kept: KeptTransfer;
  /** Nothing was there before. */
  readonly isNew: boolean;
  /** Set once it is known to have been made. */
  readonly answer?: TransferAnswer | undefined;
}

/**
 * What remembers transfers by their purpose, over crashes. A failure rejects; it must then not be sent, or be as good as unknown.
 * Several may ask at once: of two that keep the same purpose, one finds what the other has kept.
 */
export interface TransferKeys {
  /** Gives what is kept under the purpose; keeps what is given where nothing is. Resolves once that is on disk. */
  keep(transfer: KeptTransfer): Found | Promise<Found>;
  /** Notes that a kept transfer was made. */
  done(purpose: string, answer: TransferAnswer): void | Promise<void>;
  /** Forgets one that was certainly not made, so that its purpose may be used with another amount. */
  release(purpose: string): void | Promise<void>;
}
