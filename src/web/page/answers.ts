/** What the server answers, as far as the page reads it: the documents that the commands print with `--json`, and what stands beside them. */
export interface Status {
  readonly now: string;
  readonly mode: 'live' | 'dry-run';
  readonly halted: boolean;
  readonly playMoney: boolean;
  readonly haltReason: string | null;
  readonly halts: readonly { readonly reason: string; readonly by: string; readonly at: string }[];
  readonly balance: number | null;
  readonly balanceAt: string | null;
  readonly free: number | null;
  readonly reserve: number;
  readonly reserved: number;
  readonly health: Health | null;
  readonly lastPollAt: string | null;
  readonly purchases: Readonly<Record<string, number>>;
  readonly config: string;
  readonly data: string;
  readonly daemon: {
    readonly startedAt: string | null;
    readonly signOfLifeAt: string | null;
    readonly lastLookAt: string | null;
    readonly version: string | null;
    readonly listings: number;
    readonly matching: number;
    readonly blockers: readonly { readonly reason: string; readonly detail: string }[];
  } | null;
  readonly buying: {
    readonly open: boolean;
    readonly onlyOn: readonly string[] | null;
    readonly why: string | null;
    readonly reason: string | null;
    readonly also: readonly { readonly reason: string; readonly why: string }[];
  } | null;
  readonly caps: readonly Cap[];
  readonly unknown: readonly UnknownPurchase[];
  readonly badListings: { readonly count: number; readonly example: string | null };
  readonly alerts: readonly AlertRow[];
  readonly today: Today;
}

/** How several accounts do together. */
export interface Everybody {
  readonly now: string;
  readonly playMoney: boolean;
  readonly config: string | null;
  readonly version: string | null;
  readonly signOfLifeAt: string | null;
  readonly lastPollAt: string | null;
  readonly listings: number;
  readonly accounts: readonly AccountLine[];
  readonly alerts: readonly OfAccount<AlertRow>[];
  readonly purchases: readonly OfAccount<Purchase>[];
}

export type OfAccount<Row> = Row & { readonly account: string };

/** What stands beside a page of a list of several accounts. */
export interface ListOfAll {
  readonly more: boolean;
  readonly next: string | null;
  /** Of so many accounts so many were looked at. */
  readonly accounts: number;
  readonly looked: number;
  readonly unread: readonly { readonly account: string; readonly why: string }[];
}

export interface AccountLine {
  readonly name: string;
  readonly state: 'buying' | 'paper' | 'closed' | 'halted' | 'down' | 'unread' | 'unseen';
  readonly why: string | null;
  readonly mode: 'live' | 'dry-run';
  readonly balance: number | null;
  readonly spentDay: number;
  readonly spend: readonly { readonly window: string; readonly used: number; readonly cap: number }[];
  readonly unknown: number;
  readonly alerts: number;
  readonly lastPollAt: string | null;
}

export interface Health {
  readonly status: string;
  readonly at: string | null;
  readonly message: string | null;
  readonly markets: Readonly<
    Record<string, { readonly status: string | null; readonly buyable: boolean; readonly why: string | null }>
  >;
}

export interface Cap {
  readonly of: 'account' | 'strategy' | 'item';
  readonly name: string | null;
  readonly key: string;
  readonly unit: 'purchases' | 'dollars';
  readonly used: number;
  readonly cap: number | null;
}

export interface Today {
  readonly whole: boolean;
  readonly purchases: number;
  readonly lost: number;
  readonly spent: number;
  readonly refusals: readonly { readonly reason: string; readonly text: string | null; readonly count: number }[];
}

export interface AlertRow {
  readonly kind: string;
  readonly at: string;
  readonly message: string;
  readonly next: string | null;
  readonly purchaseId: number | null;
}

export interface Purchase {
  readonly id: number;
  readonly state: string;
  readonly mode: string;
  readonly strategy: string;
  readonly market: string;
  readonly listingId: string;
  readonly marketHashName: string;
  readonly wear: number | null;
  readonly priceWithFee: number;
  readonly steamPrice: number | null;
  readonly serviceOrderId: string | null;
  readonly orderStatus: string | null;
  readonly paid: number | null;
  readonly refunded: number | null;
  readonly reason: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface UnknownPurchase extends Purchase {
  readonly soFar: readonly string[];
  readonly awaited: readonly string[];
}

export interface PurchaseInFull extends Purchase {
  readonly itemId: string;
  readonly paintSeed: number | null;
  readonly times: Readonly<Record<string, string | null>>;
  readonly timeline: readonly {
    readonly at: string;
    readonly from: string | null;
    readonly to: string;
    readonly kind: string;
    readonly note: string | null;
  }[];
  readonly alerts: readonly AlertRow[];
  readonly awaited: readonly string[];
  readonly mayDo: readonly string[];
}

export interface Decision {
  readonly id: number;
  readonly at: string;
  readonly mode: string;
  readonly market: string;
  readonly listingId: string;
  readonly marketHashName: string;
  readonly strategy: string;
  readonly priceWithFee: number;
  readonly verdict: 'admitted' | 'refused';
  readonly reason: string | null;
  readonly detail: string | null;
  readonly text: string | null;
}

export interface Figures {
  readonly matches: number;
  readonly refused: number;
  readonly refusals: readonly { readonly reason: string | null; readonly count: number }[];
  readonly purchases: number;
  readonly lost: number;
  readonly open: number;
  readonly spent: number;
}

export interface StrategyRow {
  readonly name: string;
  readonly mode: string;
  readonly priority: number;
  readonly text: string;
  readonly today: Figures;
  readonly month: Figures;
  readonly near: readonly {
    readonly listingId: string;
    readonly market: string;
    readonly marketHashName: string;
    readonly priceWithFee: number;
    readonly path: string;
    readonly threshold: string;
    readonly value: string;
  }[];
}

export interface Strategies {
  readonly count: number;
  readonly wholeDay: boolean;
  readonly wholeMonth: boolean;
  readonly strategies: readonly StrategyRow[];
}

export interface Day {
  readonly day: string;
  readonly spent: number;
  readonly pricedSpent: number;
  readonly steam: number;
  readonly won: number;
  readonly lost: number;
  readonly open: number;
}

export interface Charts {
  readonly mode: string;
  readonly days: readonly Day[];
  readonly lostTo: readonly { readonly cause: string; readonly count: number }[];
  readonly reactions: readonly {
    readonly id: number;
    readonly at: string;
    readonly ownMs: number;
    readonly serviceMs: number | null;
  }[];
}

export interface Why {
  readonly listingId: string | null;
  readonly market: string | null;
  readonly marketHashName: string | null;
  readonly bad: string | null;
  readonly matched: readonly string[];
  readonly seen: {
    readonly first: string;
    readonly last: string;
    readonly gone: string | null;
    readonly standing: boolean;
  } | null;
  readonly strategies: readonly {
    readonly name: string;
    readonly mode: string;
    readonly matches: boolean;
    readonly conditions: readonly {
      readonly path: string;
      readonly depth: number;
      readonly threshold: string;
      readonly value: string;
      readonly verdict: 'true' | 'false' | 'absent';
    }[];
    readonly admission: { readonly admitted: boolean; readonly reason: string | null; readonly detail: string | null } | null;
  }[];
  readonly decisions: readonly Decision[];
  readonly purchases: readonly Purchase[];
  readonly listing: Readonly<Record<string, unknown>> | null;
}

export interface ReportRow {
  readonly name: string;
  readonly bytes: number;
  readonly at: string;
}
