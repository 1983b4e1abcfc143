import { createHash } from 'node:crypto';
import type { Clock } from '../domain/clock.ts';
import { faultRates, type ExchangeFaultRates } from '../domain/exchange-fault.ts';
import { microsFromDollars, ZERO } from '../domain/money.ts';
import { accountsOf, controlKeyOf, type Account } from './accounts.ts';
import type { SandboxRequest } from './answer.ts';
import { Api } from './api.ts';
import { booksView, type BooksView } from './audit.ts';
import { loadCatalogue } from './catalogue.ts';
import { answerControl, isControlPath } from './control.ts';
import { described } from './described.ts';
import { Exchange, type ExchangeSettings, type SnapshotMarket } from './exchange.ts';
import { FaultPlan, type FaultTimes } from './fault-plan.ts';
import { FaultyApi } from './faulty-api.ts';
import { withGiven, type GivenAccount } from './given-accounts.ts';
import { Health } from './health.ts';
import { type Rivalry, usualRivalry } from './market.ts';
import { metaOf } from './meta.ts';
import { OrderEvents, type EventDelivery } from './order-events.ts';
import { quickTimes, type OrderTimes } from './orders.ts';
import { noStore, type RecordStore } from './records.ts';
import type { SandboxAnswer } from './sandbox-answer.ts';
import { SandboxError } from './sandbox-error.ts';
import { Scripted, scriptedAnswer } from './scripted.ts';
import { readSnapshot } from './snapshot.ts';
import { openStore } from './store.ts';
import { twistsOf } from './twists.ts';
import { laggingView } from './view.ts';

export interface SandboxOptions {
  readonly seed: number;
  readonly clock: Clock;
  /** Listings that stand, on average; default 500. */
  readonly listings?: number;
  /** Where sandbox.db keeps the books; without it they live in memory. */
  readonly dataFolder?: string;
  /** The live listings show so many of them, the most popular; default all. The rest is found by search and by item. */
  readonly liveMax?: number;
  /** Text of a saved answer of live listings: exactly these stand. */
  readonly snapshot?: string;
  /** Whether rivals take listings of the snapshot; default false. */
  readonly rivals?: boolean;
  readonly faults?: Partial<ExchangeFaultRates>;
  readonly faultTimes?: Partial<FaultTimes>;
  /** How many times faster than usual the market moves and orders settle; default 1, in which an order takes half a minute. */
  readonly speed?: number;
  /** Mean milliseconds in each state of an order, before `speed`. */
  readonly times?: Partial<OrderTimes>;
  /** First balance of each account in dollars; default 1000. */
  readonly balance?: number;
  /** Child accounts beside the top-level one; default 1. */
  readonly children?: number;
  /** In place of the seed's own accounts, with their keys and balances. */
  readonly accounts?: readonly GivenAccount[];
  /** Whether /sandbox/… also moves the market, for tests; default false. */
  readonly control?: boolean;
  /** Told of what webhooks tell, after it was kept. */
  readonly onOrderEvents?: (deliveries: readonly EventDelivery[]) => void;
  /** Share added to base prices; default 0.05. */
  readonly feeRate?: number;
  /** How the made-up market differs from the usual one. */
  readonly rivalry?: Partial<Rivalry>;
}

/** The embedded exchange without a transport: a server, a test or a simulation hands it requests. */
export interface Sandbox {
  readonly topLevelKey: string;
  /** Key of the first child account. */
  readonly childKey: string;
  readonly childKeys: readonly string[];
  /** A trade URL that fits the first child account; any of the right form is taken. */
  readonly tradeUrl: string;
  /** Opens /sandbox/…, which is no part of the partner API. */
  readonly controlKey: string;
  /** Answers at the clock's time; what was accepted is in the books' file before this returns. */
  handle(request: SandboxRequest): SandboxAnswer;
  /** Runs and keeps what is due by the clock's time. Throws what the store throws. */
  advance(): void;
  books(): BooksView;
  /** Rates from now on; those left out go back to the table's defaults. Throws RangeError for a rate outside 0 to 1. */
  setFaults(rates: Partial<ExchangeFaultRates>): void;
  /** Keeps everything and lets go of the file. */
  close(): void;
}

/** Builds the exchange and starts it at the clock's time. Throws SandboxError for options that cannot be. */
export function createSandbox(options: SandboxOptions): Sandbox {
  const { clock } = options;
  const settings = settingsOf(options);
  const snapshot = snapshotOf(options);
  const store = options.dataFolder === undefined ? noStore : openStore(options.dataFolder);
  try {
    return assembled(options, settings, snapshot, store, clock);
  } catch (error) {
    store.close();
    throw error;
  }
}

function assembled(
  options: SandboxOptions,
  settings: ExchangeSettings,
  snapshot: SnapshotMarket | undefined,
  store: RecordStore,
  clock: Clock,
): Sandbox {
  const { seed } = settings;
  const startedAt = clock.now();
  const meta = metaOf(store, seed, marketName(options), startedAt);
  const plan = new FaultPlan(seed, meta.boot, options.faults ?? {}, options.faultTimes);
  const health = new Health(plan, startedAt, meta.boot);
  const exchange = new Exchange({ settings, catalogue: loadCatalogue(), store, meta, health, twists: twistsOf(plan), snapshot });
  exchange.start(startedAt);
  const plain = new Api(exchange, meta.boot, laggingView(plan));
  const api = new FaultyApi(plain, exchange, plan);
  const scripted = new Scripted();
  const events = options.onOrderEvents && new OrderEvents(exchange.books, plan, seed, meta.boot);
  /** Nothing is told of before it is in the books' file. */
  const commit = (): void => {
    exchange.commit(clock.now());
    const deliveries = events?.take() ?? [];
    if (deliveries.length > 0) options.onOrderEvents?.(deliveries);
  };
  const advance = (): void => {
    exchange.advance(clock.now());
    commit();
  };
  const books = (): BooksView => booksView(exchange.books, exchange.treasury, plan, clock.now());
  const setFaults = (rates: Partial<ExchangeFaultRates>): void => plan.setRates(rates);
  const controlKey = controlKeyOf(seed);
  const handles = options.control === true ? { exchange, plan, scripted } : undefined;
  const answered = scriptedFirst({ exchange, scripted, plain, api, clock });
  const handle = (request: SandboxRequest): SandboxAnswer => {
    if (request.path === '/openapi.json') return described();
    exchange.advance(clock.now());
    const answer = isControlPath(request.path)
      ? answerControl(request, { controlKey, books, setFaults, rates: () => plan.rates, handles })
      : answered(request);
    commit();
    return answer;
  };
  const close = (): void => {
    advance();
    store.close();
  };
  return {
    ...keysOf(settings.accounts),
    controlKey,
    handle,
    advance,
    books,
    setFaults,
    close,
  };
}

/** The partner API, but for calls that a test wants to fail. */
function scriptedFirst({
  exchange,
  scripted,
  plain,
  api,
  clock,
}: {
  readonly exchange: Exchange;
  readonly scripted: Scripted;
  readonly plain: Api;
  readonly api: FaultyApi;
  readonly clock: Clock;
}): (request: SandboxRequest) => SandboxAnswer {
  return (request) => {
    const failure = scripted.strike(request);
    if (!failure) return api.answer(request, clock.now());
    const ask = failure.carriedOut ? undefined : plain.buyAsk(request);
    if (failure.carriedOut) plain.answer(request, clock.now());
    else if (failure.endpoint === 'buy' && ask) exchange.books.note({ kind: 'post', ...ask, verdict: 'scripted' }, clock.now());
    return scriptedAnswer(failure, plain.unanswered(failure.endpoint, plain.callerOf(request)).requestId);
  };
}

function keysOf([topLevel, ...children]: readonly Account[]): Pick<
  Sandbox,
  'topLevelKey' | 'childKey' | 'childKeys' | 'tradeUrl'
> {
  const first = children[0] ?? topLevel;
  return {
    topLevelKey: topLevel?.key ?? '',
    childKey: first?.key ?? '',
    childKeys: children.map(({ key }) => key),
    tradeUrl: first?.tradeUrl ?? '',
  };
}

/** The most that the market is made for. */
const LISTINGS_MAX = 50_000;
const CHILDREN_MAX = 100;

function settingsOf(options: SandboxOptions): ExchangeSettings {
  const { seed, listings = 500, speed = 1, children = 1, feeRate = 0.05 } = options;
  const balance = microsFromDollars(options.balance ?? 1000, 'down') ?? ZERO;
  if (!Number.isSafeInteger(seed)) throw new SandboxError('option', `seed: a whole number is needed, found ${seed}`);
  if (!Number.isInteger(listings) || listings < 1 || listings > LISTINGS_MAX)
    throw new SandboxError('option', `listings: a whole number from 1 to ${LISTINGS_MAX} is needed, found ${listings}`);
  if (!(speed > 0 && Number.isFinite(speed)))
    throw new SandboxError('option', `speed: a number above 0 is needed, found ${speed}`);
  try {
    faultRates(options.faults);
  } catch (error) {
    throw new SandboxError('option', String(error instanceof Error ? error.message : error));
  }
  if (!Number.isInteger(children) || children < 1 || children > CHILDREN_MAX)
    throw new SandboxError('option', `children: a whole number from 1 to ${CHILDREN_MAX} is needed, found ${children}`);
  const times = { ...quickTimes, ...options.times };
  const scaled = {
    initiated: times.initiated / speed,
    pending: times.pending / speed,
    active: times.active / speed,
    hold: times.hold / speed,
    protection: times.protection / speed,
  };
  const accounts = withGiven((count) => accountsOf(seed, count, balance), options.accounts, children);
  const rivalry = { ...usualRivalry, ...options.rivalry };
  if (!(rivalry.speed > 0 && rivalry.spread > 0 && rivalry.share >= 0 && rivalry.share <= 1))
    throw new SandboxError('option', 'rivalry: speed and spread above 0 and a share from 0 to 1 are needed');
  return { seed, listings, pace: speed, feeRate, rivalry, times: scaled, accounts, liveMax: options.liveMax };
}

function snapshotOf({ snapshot, rivals = false }: SandboxOptions): SnapshotMarket | undefined {
  return snapshot === undefined ? undefined : { listings: readSnapshot(snapshot), rivals };
}

/** Two saved answers are two markets: the listings of one do not go on as those of the other. */
function marketName({ snapshot }: SandboxOptions): string {
  return snapshot === undefined ? 'made-up' : `saved answer ${createHash('sha256').update(snapshot).digest('hex').slice(0, 16)}`;
}
