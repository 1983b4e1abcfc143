import { alertJson } from '../domain/alert.ts';
import type { Clock, EpochMs } from '../domain/clock.ts';
import { windowMs } from '../domain/limits.ts';
import { isPurchaseState } from '../domain/purchase.ts';
import type { Reader } from '../ledger/ledger.ts';
import type { LocalSettings } from '../settings/what-counts.ts';
import type { AlertsAskedOfAll, PurchasesAskedOfAll } from '../web/page-facts.ts';
import { asking } from './folder.ts';
import { type Gathered, Gathering, type GatheringOptions, type Wanted, placeOf, placeText } from './gathering.ts';
import { listedJson } from './listed-json.ts';
import { accountLooked } from './status-accounts.ts';

export interface ListsOfAllOptions {
  readonly clock: Clock;
  readonly names: readonly string[];
  readonly settings: () => ReadonlyMap<string, LocalSettings>;
}

/** How far back alerts are listed, of one account as of all. */
export const ALERTS_FOR_MS = 30 * windowMs.day;

/** Of the time that passes, putting lists together may take this share, and so much at once. */
const SHARE_MAX = 0.2;
const SLICE_MS = 200;
/** Lists that are kept, and for how long after somebody has asked for one. */
const LISTS_MAX = 16;
const KEPT_FOR_MS = 30_000;

/** What is listed of an account, and from when on. */
interface Source {
  readonly rows: (ledger: Reader, account: string, wanted: Wanted) => readonly Gathered[];
  readonly since: (now: EpochMs) => EpochMs;
}

/**
 * What many accounts have, in lists that are joined by time. Of very many each answer looks at some and says at how many; who asks again
 * soon gets what has been found by then, as does whoever else asks for the same.
 */
export class ListsOfAll {
  readonly #options: ListsOfAllOptions;
  readonly #kept = new Map<string, { readonly gathering: Gathering; readonly askedAt: number }>();
  #endedAt = -Infinity;

  constructor(options: ListsOfAllOptions) {
    this.#options = options;
  }

  /** As `magpie purchases --json` prints those of all accounts, a page at a time. */
  purchases(asked: PurchasesAskedOfAll): unknown {
    const { state, strategy, words } = asked;
    const rows: Source['rows'] = (ledger, account, wanted) => {
      if (state !== undefined && !isPurchaseState(state)) return [];
      const found = ledger.purchasesByTime({ ...wanted, state, strategy, words });
      if (found.length === 0) return [];
      const shadows = ledger.shadowsOf(found.map(({ id }) => id));
      return found.map((purchase) => {
        const { createdAt: at, id } = purchase;
        return { at, account, id, json: listedJson(purchase, shadows.get(id), account) };
      });
    };
    return this.#told('purchases', asked, { rows, since: () => 0 });
  }

  alerts(asked: AlertsAskedOfAll): unknown {
    const rows: Source['rows'] = (ledger, account, wanted) =>
      ledger
        .alertsByTime(wanted)
        .map(({ id, ...alert }) => ({ at: alert.at, account, id, json: { account, ...alertJson(alert) } }));
    return this.#told('alerts', asked, { rows, since: (now) => now - ALERTS_FOR_MS });
  }

  #told(kind: 'purchases' | 'alerts', asked: AlertsAskedOfAll, source: Source): unknown {
    const { clock, names } = this.#options;
    const gathering = this.#gathering(JSON.stringify([kind, asked]), asked.before, source);
    gathering.goOn(Math.min(SLICE_MS, (clock.mono() - this.#endedAt) * SHARE_MAX));
    this.#endedAt = clock.mono();
    const { rows, next, looked, unread } = gathering.page();
    return {
      [kind]: rows.map(({ json }) => json),
      ...{ more: next !== undefined, next: next === undefined ? null : placeText(next) },
      ...{ looked, accounts: names.length, unread },
    };
  }

  /** The one that was begun for the same question, while it is still asked for; those that nobody asks for are let go. */
  #gathering(question: string, before: string | undefined, { rows, since }: Source): Gathering {
    const { clock, names, settings } = this.#options;
    const now = clock.mono();
    for (const [old, { askedAt }] of this.#kept) if (now - askedAt > KEPT_FOR_MS) this.#kept.delete(old);
    const look: GatheringOptions['look'] = (account, wanted) => {
      const own = settings().get(account);
      if (own === undefined) return { unread: 'the configuration has it no more' };
      const told = accountLooked(own, ({ data }) =>
        asking(data, (ledger) => (ledger === undefined ? [] : rows(ledger, account, wanted))),
      );
      return 'unread' in told ? told : told.facts;
    };
    const begin = (): Gathering =>
      new Gathering({ clock, names, look, since, before: before === undefined ? undefined : placeOf(before) });
    const gathering = this.#kept.get(question)?.gathering ?? begin();
    this.#kept.delete(question);
    this.#kept.set(question, { gathering, askedAt: now });
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > LISTS_MAX && oldest !== undefined) this.#kept.delete(oldest);
    return gathering;
  }
}
