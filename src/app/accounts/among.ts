import type { Journal } from '../../engine/journal.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { Core } from '../core.ts';
import type { AccountTold } from '../monitoring/monitoring.ts';
import type { Observer } from '../monitoring/observer.ts';
import type { PriceSource } from '../references.ts';
import type { Partner } from '../surroundings.ts';
import type { MarketSource } from '../watching.ts';
import type { FolderGuard } from './folder-guard.ts';
import { type InName, heardInName } from './rejections.ts';
import { pricesInName } from './shared-prices.ts';
import type { TurnDesk } from './turn-desk.ts';

/** What one of several accounts shares with the others of the process; all else it has for itself. */
export interface Among {
  /** The service, with this account's own key. */
  readonly partner: Partner;
  /** Masks the secrets of all accounts: one of another's in a line is no less secret. */
  readonly scrub: (text: string) => string;
  /** Who reads listings and health for all. */
  readonly market: MarketSource;
  /** Who keeps the record of prices for all. */
  readonly prices: PriceSource;
  /** Says which folder an account must not buy from. */
  readonly guard: FolderGuard;
  /** Before anything starts: what the account has bought is known to the others from here on. It gets turns until `ending` is aborted. */
  join(core: Core, ledger: Ledger, ending: AbortSignal): void;
  /** Hears of each step besides whoever counts. */
  observer(own: Observer | undefined): Observer;
  /** The journal, which writes no intent without a claim. */
  guarded(ledger: Ledger): Pick<Journal, 'commitIntent' | 'recordOutcome'>;
  /** How the account does; what is listened at, pinged and told to the service manager is the process's and not the account's. */
  handOn(told: AccountTold): void;
}

/** The place of one account among those that meet at a desk; what others bring it to do it does in its own name. */
export function amongOthers(
  account: string,
  shared: Pick<Among, 'partner' | 'scrub' | 'market' | 'prices' | 'guard' | 'handOn'>,
  desk: TurnDesk,
  inName: InName,
): Among {
  return {
    ...shared,
    market: heardInName(shared.market, inName),
    prices: pricesInName(shared.prices, inName),
    join: (core, ledger, ending) => {
      const newest = ledger.purchases({ lane: 'live', limit: 1 })[0];
      if (newest !== undefined) desk.lastServed(account, newest.createdAt);
      desk.join(account, {
        state: () => core.state,
        post: (event) => inName(() => core.hear(event)),
        isEnding: () => ending.aborted,
      });
    },
    observer: (own) => ({
      stepped: (event, effects) => {
        own?.stepped(event, effects);
        desk.stepped(account, event);
      },
      polled: (poll) => own?.polled(poll),
    }),
    guarded: (ledger) => desk.guarded(account, ledger),
  };
}
