import type { PerWindow, StrategyLimits } from '../domain/limits.ts';
import { type Micros, microsFromDollars } from '../domain/money.ts';
import { type Condition, cheapFirst, judgesOf } from './condition.ts';
import { conditionsOf } from './conditions.ts';
import { costBounds } from './cost-bounds.ts';
import { type Foresee, unforeseeable } from './outlook.ts';
import { itemForesight } from './item-foresight.ts';
import { priceConditions } from './price-rules.ts';
import type { Conditions, StrategyDocument } from './schema.ts';
import type { Foresight, LooksAround, Strategy } from './strategy.ts';
import { nothingAround } from './surroundings.ts';
import { asList } from './words.ts';

/** The wording that a strategy was compiled from. */
export interface StrategySource {
  readonly text: string;
  /** SHA-256 of the text, hex. */
  readonly hash: string;
}

/** Compiles a document that was checked against the schema. Its conditions close over nothing outside it. */
export function compileStrategy(document: StrategyDocument, source: StrategySource): Strategy {
  const conditions = [
    ...conditionsOf(document.when ?? {}, 'when'),
    ...priceConditions(document.price, document.doppler ?? false),
  ];
  const judges = judgesOf(conditions);
  const places = cheapFirst(conditions).map((condition) => conditions.indexOf(condition));
  return {
    name: document.name,
    hash: source.hash,
    text: source.text,
    lane: document.mode === 'dry-run' ? 'paper' : 'live',
    priority: document.priority ?? 0,
    limits: limitsOf(document.limits ?? {}),
    usesReference: judgesByReference(document),
    looksAround: looksAround(document),
    watches: document.watch === true ? [...new Set(asList(document.when?.name ?? []))] : [],
    foresight: {
      mayWant: mayWant(conditions),
      bounds: costBounds(document.price),
      items: itemForesight(conditions, document.when),
    },
    matches: (listing, around = nothingAround) => {
      for (const judge of judges) if (judge(listing, around) !== 'true') return false;
      return true;
    },
    misses: (listing, around = nothingAround) => {
      let missing: number | undefined;
      for (let judge = 0; judge < judges.length; judge++) {
        if ((judges[judge] as Condition['judge'])(listing, around) === 'true') continue;
        if (missing !== undefined) return undefined;
        missing = places[judge];
      }
      return missing;
    },
    explain: (listing, around = nothingAround) => conditions.flatMap((condition) => condition.report(listing, around, 0)),
  };
}

function mayWant(conditions: readonly Condition[]): Foresight['mayWant'] {
  const telling: readonly Foresee[] = conditions.map(({ foresee }) => foresee).filter((foresee) => foresee !== unforeseeable);
  return (item) => {
    for (const foresee of telling) if (!foresee(item).mayHold) return false;
    return true;
  };
}

function limitsOf({ spend = {}, count = {}, perItem = {} }: NonNullable<StrategyDocument['limits']>): StrategyLimits {
  const amount = (dollars: number | undefined): Micros | undefined =>
    dollars === undefined ? undefined : microsFromDollars(dollars, 'down');
  const amounts: PerWindow<Micros> = { hour: amount(spend.hour), day: amount(spend.day), total: amount(spend.total) };
  return { spend: amounts, count, perItem };
}

function judgesByReference({ when, price }: StrategyDocument): boolean {
  const { maxOfSteam, minProfit, maxOfMedian } = price;
  const byPrice = maxOfSteam !== undefined || minProfit !== undefined || maxOfMedian !== undefined;
  return byPrice || asksFor('steamPrice', when) || asksFor('reference', when);
}

function looksAround({ when, price }: StrategyDocument): LooksAround | undefined {
  if (price.belowFloor !== undefined) return 'floor';
  return price.maxOfMedian !== undefined || asksFor('reference', when) ? 'record' : undefined;
}

function asksFor(key: 'steamPrice' | 'reference', group: Conditions = {}): boolean {
  const inner = [...(group.all ?? []), ...(group.any ?? []), ...(group.not ? [group.not] : [])];
  return group[key] !== undefined || inner.some((each) => asksFor(key, each));
}
