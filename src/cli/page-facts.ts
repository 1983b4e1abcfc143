import { alertJson } from '../domain/alert.ts';
import type { Clock } from '../domain/clock.ts';
import { windowMs } from '../domain/limits.ts';
import { dollarsFromMicros, ZERO } from '../domain/money.ts';
import { isPurchaseState, purchaseJson } from '../domain/purchase.ts';
import { type ReasonCode, reasons } from '../domain/reason.ts';
import type { Reader } from '../ledger/ledger.ts';
import type { NumberedDecision } from '../ledger/page-queries.ts';
import type { LocalSettings } from '../settings/what-counts.ts';
import type { DecisionsAsked, Marks, News, PageFacts, PurchasesAsked } from '../web/page-facts.ts';
import { circumstances } from './admission.ts';
import { type Holder, holderOf, modeOf, openToChange } from './folder.ts';
import { ROWS } from './gathering.ts';
import { type Standing, standingOf } from './in-force.ts';
import { listedJson } from './listed-json.ts';
import { newestListings } from './near-misses.ts';
import { chartsJson } from './page-charts.ts';
import { ALERTS_FOR_MS } from './page-lists.ts';
import { reportBytes, reportsJson } from './page-reports.ts';
import { strategiesJson } from './page-strategies.ts';
import { purchaseFacts, purchaseFactsJson } from './purchase-facts.ts';
import { resumeBuying } from './resume.ts';
import { statusFacts } from './status-facts.ts';
import { statusJson } from './status-json.ts';
import { explain } from './why-facts.ts';
import { explanationJson } from './why-json.ts';
import { offersOnTape } from './why-offers.ts';

export interface PageFactsOptions {
  readonly clock: Clock;
  readonly folder: string;
  /** As the files have them now. */
  readonly settings: () => LocalSettings;
  /** The ledger, opened for questions; undefined while there is none. */
  readonly reader: () => Reader | undefined;
  /** A text that a person typed, to be kept: what is secret is masked in it. */
  readonly masked: (text: string) => string;
  readonly onResumed: (reason: string) => void;
}

/** Decisions that are told of at once: nobody reads more in a second. */
const NEWS = 60;
const ALERTS = 200;
/** What takes many rows to count is counted no oftener than this. */
const COUNTED_MS = 10_000;

/** The facts of the page, by the functions that the commands print them with. */
export function createPageFacts(options: PageFactsOptions): PageFacts {
  const { folder, clock, reader } = options;
  const changing = <T>(work: (ledger: ReturnType<typeof openToChange>) => T): T => {
    const ledger = openToChange(folder);
    try {
      return work(ledger);
    } finally {
      ledger.close();
    }
  };
  const today = countedToday(options);
  return {
    status() {
      const { standing, holder, ledger } = look(options);
      return { ...statusJson(statusFacts(standing, ledger, holder, clock.now())), ...today() };
    },
    purchases: (asked) => purchasesJson(reader(), asked),
    purchase(id) {
      const ledger = reader();
      const facts = ledger && purchaseFacts(ledger, id, clock.now());
      return facts && purchaseFactsJson(facts);
    },
    decisions: (asked) => decisionsJson(reader(), asked),
    why: (id, market) => whyJson(options, id, market),
    strategies() {
      const { standing, mode, ledger } = look(options);
      const strategies = standing.strategies ?? [];
      return strategiesJson({
        strategies,
        mode,
        reader: ledger,
        now: clock.now(),
        listings: newestListings(standing.settings.recordingFolder),
      });
    },
    charts() {
      const { mode, ledger } = look(options);
      return chartsJson(ledger, mode === 'live' ? 'live' : 'paper', clock.now());
    },
    alerts: () => (reader()?.alerts(clock.now() - ALERTS_FOR_MS, ALERTS) ?? []).map(alertJson),
    reports: () => reportsJson(folder),
    report: (name) => reportBytes(folder, name),
    news: (since) => newsOf(reader(), since),
    halt: (reason) => changing((ledger) => void ledger.halt(options.masked(reason), 'person', clock.now())),
    resume(reason) {
      changing((ledger) => resumeBuying(ledger, clock.now()));
      options.onResumed(options.masked(reason));
    },
    changed: () => reader()?.changed() ?? false,
  };
}

interface Look {
  readonly standing: Standing;
  readonly holder: Holder;
  readonly mode: LocalSettings['mode'];
  readonly ledger: Reader | undefined;
}

function look({ settings, reader, folder }: PageFactsOptions): Look {
  const ledger = reader();
  const holder = holderOf(folder, ledger);
  const now = settings();
  return { standing: standingOf(now, holder, ledger), holder, mode: modeOf(now, holder), ledger };
}

/** What was found and not bought in the last 24 hours, by reason, and what was made of the rest; with the moment it is told. */
function countedToday({ clock, reader, settings, folder }: PageFactsOptions): () => Record<string, unknown> {
  let counted: { readonly at: number; readonly today: unknown } | undefined;
  const count = (): unknown => {
    const [ledger, since] = [reader(), clock.now() - windowMs.day];
    const mode = modeOf(settings(), holderOf(folder, ledger));
    const { counts, whole } = ledger?.decisionCounts(since) ?? { counts: [], whole: true };
    const by = new Map<string, number>();
    for (const { verdict, reason = 'other', count } of counts)
      if (verdict === 'refused') by.set(reason, (by.get(reason) ?? 0) + count);
    const made = ledger?.purchases({ since, lane: mode === 'live' ? 'live' : 'paper', limit: 20_000 }) ?? [];
    const kept = made.filter(({ state }) => state !== 'rejected' && state !== 'expired');
    return {
      ...{ whole, purchases: kept.length, lost: made.length - kept.length },
      spent: dollarsFromMicros(ledger?.usageOfAccount(mode === 'live' ? 'live' : 'paper', clock.now()).spend.day ?? ZERO),
      refusals: [...by].toSorted(([, one], [, other]) => other - one).map(([reason, count]) => refusalJson(reason, count)),
    };
  };
  return () => {
    if (counted === undefined || clock.mono() - counted.at > COUNTED_MS) counted = { at: clock.mono(), today: count() };
    return { now: iso(clock.now()), today: counted.today };
  };
}

function refusalJson(reason: string, count: number): unknown {
  return { reason, text: Object.hasOwn(reasons, reason) ? reasons[reason as ReasonCode].text : null, count };
}

function purchasesJson(reader: Reader | undefined, { before, state, strategy, words }: PurchasesAsked): unknown {
  if (state !== undefined && !isPurchaseState(state)) return { purchases: [], more: false };
  const rows = reader?.purchasePage({ before, state, strategy, words, limit: ROWS + 1 }) ?? [];
  const shown = rows.slice(0, ROWS);
  const shadows = reader?.shadowsOf(shown.map(({ id }) => id));
  return {
    purchases: shown.map((each) => listedJson(each, shadows?.get(each.id))),
    more: rows.length > ROWS,
  };
}

function decisionsJson(reader: Reader | undefined, asked: DecisionsAsked): unknown {
  const verdict = asked.verdict === 'admitted' || asked.verdict === 'refused' ? asked.verdict : undefined;
  const rows = reader?.decisionPage({ ...asked, verdict, limit: ROWS + 1 }) ?? [];
  return { decisions: rows.slice(0, ROWS).map(decisionJson), more: rows.length > ROWS };
}

function decisionJson({
  id,
  at,
  lane,
  market,
  listingId,
  marketHashName,
  strategy,
  cost,
  verdict,
  reason,
  detail,
}: NumberedDecision): unknown {
  return {
    ...{ id, at: iso(at), mode: lane === 'live' ? 'live' : 'dry-run', market, listingId, marketHashName, strategy },
    ...{ priceWithFee: dollarsFromMicros(cost), verdict, reason: reason ?? null, detail: detail ?? null },
    text: reason !== undefined && Object.hasOwn(reasons, reason) ? reasons[reason].text : null,
  };
}

function whyJson(options: PageFactsOptions, id: string, market: string | undefined): unknown {
  const { standing, holder, ledger } = look(options);
  const where = circumstances(standing.settings, ledger, holder, options.clock.now());
  const offers = offersOnTape(standing.settings.recordingFolder, id, market);
  const known = offers.length > 0 || where.purchases.has(id) || (ledger?.decisionsOf(id, { limit: 1 }).length ?? 0) > 0;
  if (!known) return undefined;
  const asked = { id, market };
  const all = offers.length > 0 ? offers : [{ raw: undefined, history: undefined }];
  return all.map((offer) => explanationJson(explain(offer, asked, standing.strategies ?? [], where)));
}

function newsOf(reader: Reader | undefined, since: Marks | undefined): News {
  const marks = { decision: reader?.newestDecision() ?? 0, evidence: reader?.evidenceSeq() ?? 0 };
  if (since === undefined || reader === undefined) return { marks, decisions: [], decided: 0, purchases: [] };
  const touched = marks.evidence === since.evidence ? [] : reader.purchasesTouchedAfter(since.evidence).slice(-NEWS);
  const decided = Math.max(0, marks.decision - since.decision);
  return {
    marks,
    decisions: decided === 0 ? [] : reader.decisionPage({ after: since.decision, limit: NEWS }).map(decisionJson),
    decided,
    purchases: touched.map(purchaseJson).reverse(),
  };
}

function iso(at: number): string {
  return new Date(at).toISOString();
}
