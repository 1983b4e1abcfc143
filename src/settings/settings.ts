import type { ExchangeFaultRates } from '../domain/exchange-fault.ts';
import type { AccountLimits } from '../domain/limits.ts';
import type { Micros } from '../domain/money.ts';
import type { Secret } from '../domain/secret.ts';

/** The account that buys at a real service. */
export interface AccountSettings {
  readonly apiKey: Secret;
  /** What market health is read with; the account's own key where the configuration names no other. */
  readonly partnerKey: Secret;
  /** The whole URL is secret, since it holds the token. Always there in live mode. */
  readonly tradeUrl: Secret | undefined;
}

/** What the embedded exchange is made with. */
export interface SandboxSettings {
  readonly seed: number;
  readonly listings: number;
  /** Play money when its books are opened. */
  readonly balance: Micros;
  /** Times its usual pace. */
  readonly speed: number;
  readonly faults: ExchangeFaultRates;
}

export type ServiceSettings =
  | {
      readonly kind: 'remote';
      readonly baseUrl: string;
      /** undefined only in dry-run, where a configuration may be looked at before there is a key. */
      readonly account: AccountSettings | undefined;
    }
  | { readonly kind: 'sandbox'; readonly sandbox: SandboxSettings };

export interface RateSettings {
  readonly perSecond: number;
  readonly concurrent: number;
}

/** The configuration as the rooms take it: exact money, milliseconds, absolute paths, secrets that do not print. */
export interface Settings {
  /** The configuration file. */
  readonly file: string;
  readonly mode: 'dry-run' | 'live';
  readonly service: ServiceSettings;
  /** Nobody else buys with this account, so an order that no purchase explains halts buying. */
  readonly dedicated: boolean;
  readonly feed: {
    readonly intervalMs: number;
    readonly health: { readonly intervalMs: number; readonly require: 'ok' | 'degraded' | 'off'; readonly staleAfterMs: number };
    /** How an answer of live listings is read: by what is new in it, or whole. */
    readonly parse: 'stream' | 'slices' | 'whole';
  };
  readonly rate: { readonly reads: RateSettings; readonly buys: RateSettings; readonly timeoutMs: number };
  readonly limits: AccountLimits;
  /** Folder of the strategies. */
  readonly strategies: string;
  /** Folder of the state and the recordings; need not exist. */
  readonly data: string;
  readonly web: { readonly host: string; readonly port: number; readonly token: Secret | undefined } | undefined;
  readonly log: { readonly format: 'human' | 'json'; readonly level: 'debug' | 'info' | 'warn' | 'error' };
  /** undefined: nothing is recorded. */
  readonly recording: { readonly maxAgeMs: number; readonly maxBytes: number } | undefined;
  readonly reconcile: { readonly intervalMs: number };
  readonly alerts: { readonly stuckAfterMs: number };
  readonly decisions: { readonly keepMs: number };
  /** Everything that may appear in no output, the trade token by itself included. */
  readonly secrets: readonly Secret[];
}
