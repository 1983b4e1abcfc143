import type { AlertKind } from '../domain/alert.ts';
import type { ExchangeFaultRates } from '../domain/exchange-fault.ts';
import type { AccountLimits } from '../domain/limits.ts';
import type { Micros } from '../domain/money.ts';
import type { Secret } from '../domain/secret.ts';
import type { FallPolicy } from '../risk/market-fall.ts';
import type { ReferencePolicy } from '../risk/reference-guard.ts';
import type { TreasurySettings } from './treasury-schema.ts';

/** The account that buys at a service. */
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
  /** Where events of orders are posted to; undefined: nowhere. */
  readonly webhooks: { readonly url: string; readonly secret: Secret | undefined } | undefined;
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

/** Where alerts are told; a secret is missing only for commands that may run without one. */
export interface NotifySettings {
  readonly discord: { readonly webhook: Secret | undefined; readonly only: Only } | undefined;
  readonly telegram:
    | { readonly token: Secret | undefined; readonly chat: string | undefined; readonly api: string; readonly only: Only }
    | undefined;
  readonly webhook: { readonly url: Secret | undefined; readonly secret: Secret | undefined; readonly only: Only } | undefined;
  readonly command: { readonly run: readonly string[]; readonly only: Only } | undefined;
  /** When a digest is told, milliseconds from midnight UTC; undefined: never. */
  readonly digestMs: number | undefined;
}

/** Where the service may post events, and how they are known to be its own. */
export interface WebhooksSettings {
  readonly host: string;
  readonly port: number;
  readonly path: Secret;
  /** undefined: events are not signed. */
  readonly secret: Secret | undefined;
  /** Lower case. */
  readonly header: string;
  /** Names of a proxy before it, besides those of this machine. */
  readonly names: readonly string[];
}

/** The kinds that a channel is told; undefined: all. */
export type Only = readonly AlertKind[] | undefined;

/** The configuration as the rooms take it: exact money, milliseconds, absolute paths, secrets that do not print. */
export interface Settings {
  /** The configuration file. */
  readonly file: string;
  /** Which of several accounts these are of; undefined where the configuration is for one, and for what several share. */
  readonly account: string | undefined;
  /** The names of all accounts, in the order of the file; empty where the configuration is for one. */
  readonly accountNames: readonly string[];
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
  /** Folder of the recording: `data`, or the one that several accounts share. */
  readonly recordingFolder: string;
  readonly web: { readonly host: string; readonly port: number; readonly token: Secret | undefined } | undefined;
  /** Items that are looked at beside the live listings, the share of the read rate for it, and the pages of a look; undefined: none. */
  readonly watch: { readonly items: readonly string[]; readonly share: number; readonly pages: number } | undefined;
  readonly log: { readonly format: 'human' | 'json'; readonly level: 'debug' | 'info' | 'warn' | 'error' };
  /** undefined: nothing is recorded. */
  readonly recording: { readonly maxAgeMs: number; readonly maxBytes: number } | undefined;
  readonly reconcile: { readonly intervalMs: number };
  /** `lowBalance` undefined: by the reserve. */
  readonly alerts: { readonly stuckAfterMs: number; readonly lowBalance: Micros | undefined };
  /** How purchases on paper are checked again, `latencyMs` undefined: as long as our own buys take; undefined: they are not. */
  readonly settle: { readonly latencyMs: number | undefined; readonly marginMs: number; readonly perMinute: number } | undefined;
  /** undefined: nobody is told beside the log. */
  readonly notify: NotifySettings | undefined;
  /** Where metrics are told; undefined: nowhere. */
  readonly metrics: { readonly host: string; readonly port: number } | undefined;
  /** Where events of the service are listened to; undefined: nowhere. */
  readonly webhooks: WebhooksSettings | undefined;
  /** What is pinged while there is progress; a URL is missing only for commands that may run without one. */
  readonly deadMan: { readonly url: Secret | undefined; readonly everyMs: number } | undefined;
  /** What keeps the balances of children; undefined: nothing does. */
  readonly treasury: TreasurySettings | undefined;
  /** Whether limits and strategies are followed as they are saved. */
  readonly reload: { readonly onSave: boolean };
  readonly decisions: { readonly keepMs: number };
  /** undefined: the daemon makes none. */
  readonly backup: { readonly everyMs: number; readonly keep: number } | undefined;
  readonly disk: { readonly minFreeBytes: number };
  /** Our own record of prices: days kept, when a steamPrice is not believed beside it, and what a fall of the market is (undefined: nothing). */
  readonly reference: ReferencePolicy & { readonly days: number; readonly fall: FallPolicy | undefined };
  /** Everything that may appear in no output, the trade token by itself included. */
  readonly secrets: readonly Secret[];
}
