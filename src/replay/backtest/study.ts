import type { EpochMs } from '../../domain/clock.ts';
import type { Decision } from '../../domain/decision.ts';
import { type ListingKey, listingKey } from '../../domain/listing.ts';
import type { Micros } from '../../domain/money.ts';
import type { ReasonCode } from '../../domain/reason.ts';
import type { Rules } from '../../engine/state.ts';
import { decisionHash } from './decision-hash.ts';
import type { Scenario } from './fates.ts';
import type { MarketHistory } from './market-history.ts';
import { type Models, worldOf } from './models.ts';
import { type Bid, type Circumstances, type Replayed, replay } from './replay.ts';
import { Valuer, type ValueTerms, type Worth } from './value.ts';

/** How often what is expected is drawn. */
export const EXPECTED_RUNS = 20;

/** One set of strategies to be tried on a recorded time. */
export interface Trial {
  /** The folder of the strategies, as a person gave it. */
  readonly folder: string;
  readonly rules: Rules;
  readonly rate: Circumstances['rate'];
  readonly balance: Micros | undefined;
  readonly terms: ValueTerms;
  readonly purchasedBefore?: Circumstances['purchasedBefore'];
}

/** A listing at a price that was bid for in any run. */
export interface Bought {
  readonly bid: Bid;
  readonly worth: Worth;
  readonly won: Readonly<Record<Scenario, number>>;
}

/** How many matched offers were never admitted for a reason. */
export interface Refused {
  readonly reason: ReasonCode;
  readonly count: number;
}

/** All that came of a trial. */
export interface Study {
  readonly trial: Trial;
  readonly pessimistic: Replayed;
  readonly optimistic: Replayed;
  readonly expected: readonly Replayed[];
  readonly valuer: Valuer;
  /** By strategy: offers that it matched, and that were admitted for it. */
  readonly matched: ReadonlyMap<string, number>;
  readonly admitted: ReadonlyMap<string, number>;
  /** Why offers were never admitted, in the optimistic run: by strategy, each offer once, under the last reason it was refused for. */
  readonly refusals: ReadonlyMap<string, readonly Refused[]>;
  readonly purchases: readonly Bought[];
  /** Of the optimistic run: how many decisions there were, and one hash for all of them. */
  readonly decisions: { readonly count: number; readonly hash: string };
}

/** Replays a trial as often as its figures need. `onRun` hears of each run that is done. */
export function study(history: MarketHistory, models: Models, trial: Trial, onRun: () => void = () => undefined): Study {
  const tally = new DecisionTally(history, trial.rules);
  const run = (scenario: Scenario, number = 0, onDecisions: (each: readonly Decision[]) => void = () => undefined): Replayed => {
    const { rules, rate, balance, terms, purchasedBefore = [] } = trial;
    const world = worldOf(models, scenario, number);
    const replayed = replay(history, { rules, rate, balance, purchasedBefore, holdMs: terms.holdMs, ...world }, onDecisions);
    onRun();
    return replayed;
  };
  const decided: Decision[] = [];
  const optimistic = run('optimistic', 0, (decisions) => decided.push(...decisions));
  tally.note(decided);
  const pessimistic = run('pessimistic');
  const expected = Array.from({ length: EXPECTED_RUNS }, (_, number) => run('expected', number));
  const all = [optimistic, pessimistic, ...expected];
  const ours = new Set<ListingKey>(all.flatMap(({ bids }) => bids.map(({ listing }) => listing.key)));
  const valuer = new Valuer(history.offers, trial.terms, ours);
  const { matched, admitted, refusals } = tally;
  const purchases = purchasesOf({ optimistic, pessimistic, expected }, valuer);
  const decisions = { count: decided.length, hash: decisionHash(decided) };
  return { trial, pessimistic, optimistic, expected, valuer, matched, admitted, refusals, purchases, decisions };
}

/** Counts offers once, however often something was decided of them. */
class DecisionTally {
  readonly matched = new Map<string, number>();
  readonly admitted = new Map<string, number>();
  /** By strategy, then offer: what it was refused for last. That is what kept it out to the end; an earlier reason had passed. */
  readonly #lastRefusals = new Map<string, Map<string, ReasonCode>>();
  readonly #seen = new Set<string>();

  constructor(history: MarketHistory, { strategies }: Rules) {
    for (const strategy of strategies.all) {
      this.matched.set(strategy.name, 0);
      this.admitted.set(strategy.name, 0);
      if (strategy.looksAround !== undefined) continue;
      for (const { changed } of history.shown)
        for (const { listing } of changed)
          if (strategy.matches(listing)) this.#count(this.matched, strategy.name, 'matched', listing.key, listing.cost);
    }
  }

  note(decisions: readonly Decision[]): void {
    for (const { market, listingId, cost, strategy, verdict, reason } of decisions) {
      const key = listingKey(market, listingId);
      // What a strategy made of the market around a listing is known to the replay alone.
      this.#count(this.matched, strategy, 'matched', key, cost);
      if (verdict === 'admitted') this.#count(this.admitted, strategy, 'admitted', key, cost);
      else if (reason !== undefined) {
        const reasons = this.#lastRefusals.get(strategy) ?? new Map<string, ReasonCode>();
        this.#lastRefusals.set(strategy, reasons.set(offerOf(key, cost), reason));
      }
    }
  }

  /** By strategy, the commonest reason first. What was admitted once counts nowhere, whatever it was refused for before or after. */
  get refusals(): ReadonlyMap<string, readonly Refused[]> {
    const found = [...this.#lastRefusals].map(([strategy, reasons]) => {
      const counts = new Map<ReasonCode, number>();
      for (const [offer, reason] of reasons)
        if (!this.#seen.has(idOf('admitted', strategy, offer))) counts.set(reason, (counts.get(reason) ?? 0) + 1);
      const refused = [...counts].map(([reason, count]): Refused => ({ reason, count }));
      return [strategy, refused.toSorted((a, b) => b.count - a.count)] as const;
    });
    return new Map(found);
  }

  #count(into: Map<string, number>, name: string, what: 'matched' | 'admitted', key: ListingKey, cost: Micros): void {
    const id = idOf(what, name, offerOf(key, cost));
    if (this.#seen.has(id)) return;
    this.#seen.add(id);
    into.set(name, (into.get(name) ?? 0) + 1);
  }
}

function offerOf(key: ListingKey, cost: Micros): string {
  return `${key}@${cost}`;
}

function idOf(what: string, strategy: string, offer: string): string {
  return `${what}\n${strategy}\n${offer}`;
}

type Runs = Pick<Study, 'optimistic' | 'pessimistic' | 'expected'>;

/** Every offer that was bid for, with how often it was won, oldest first. */
function purchasesOf({ optimistic, pessimistic, expected }: Runs, valuer: Valuer): readonly Bought[] {
  const found = new Map<string, { bid: Bid; won: Record<Scenario, number> }>();
  const note = (scenario: Scenario, { bids }: Replayed, weight: number): void => {
    for (const bid of bids) {
      const id = `${bid.strategy}\n${bid.lane}\n${bid.listing.key}@${bid.listing.cost}`;
      const known = found.get(id) ?? { bid, won: { pessimistic: 0, expected: 0, optimistic: 0 } };
      found.set(id, known);
      if (bid.fate === 'won') known.won[scenario] += weight;
    }
  };
  note('optimistic', optimistic, 1);
  note('pessimistic', pessimistic, 1);
  for (const replayed of expected) note('expected', replayed, 1 / expected.length);
  const at = ({ bid }: { bid: Bid }): EpochMs => bid.decidedAt;
  return [...found.values()].sort((a, b) => at(a) - at(b)).map(({ bid, won }) => ({ bid, won, worth: valuer.worth(bid) }));
}
