import type { FactsOfAll, PageFacts } from './page-facts.ts';
import type { StreamOptions } from './stream.ts';

/** What can be asked and changed behind the door: of one account, or of all together. */
export interface Room {
  /** Plain JSON, or undefined where there is nothing of the kind. */
  answer(path: string, query: URLSearchParams): unknown;
  /** The bytes of a report by its name; undefined where there is none. */
  report(name: string): Uint8Array | undefined;
  /** What may be changed, by the path that is posted to, each with a person's reason. */
  readonly writes: Readonly<Record<string, (reason: string) => void>>;
  /** What is told to those who look on. */
  readonly told: StreamOptions['facts'];
}

type Answering<Facts> = (facts: Facts, query: URLSearchParams) => unknown;

const WORDS_MAX = 200;

/** What is asked of an account by GET. */
const questions: Readonly<Record<string, Answering<PageFacts>>> = {
  '/api/status': (facts) => facts.status(),
  '/api/purchases': (facts, query) =>
    facts.purchases({ before: numberOf(query, 'before'), state: textOf(query, 'state'), ...narrowing(query) }),
  '/api/purchase': (facts, query) => {
    const id = numberOf(query, 'id');
    return id === undefined ? undefined : facts.purchase(id);
  },
  '/api/decisions': (facts, query) =>
    facts.decisions({
      ...{ before: numberOf(query, 'before'), verdict: textOf(query, 'verdict'), reason: textOf(query, 'reason') },
      ...narrowing(query),
    }),
  '/api/why': (facts, query) => {
    const id = textOf(query, 'id');
    return id === undefined ? undefined : facts.why(id, textOf(query, 'market'));
  },
  '/api/strategies': (facts) => facts.strategies(),
  '/api/charts': (facts) => facts.charts(),
  '/api/alerts': (facts) => facts.alerts(),
  '/api/reports': (facts) => facts.reports(),
};

/** What is asked of several accounts together. */
const questionsOfAll: Readonly<Record<string, Answering<FactsOfAll>>> = {
  '/api/status': (facts) => facts.status(),
  '/api/purchases': (facts, query) =>
    facts.purchases({ before: textOf(query, 'before'), state: textOf(query, 'state'), ...narrowing(query) }),
  '/api/alerts': (facts, query) => facts.alerts({ before: textOf(query, 'before') }),
  '/api/reports': (facts) => facts.reports(),
};

export function roomOf(facts: PageFacts): Room {
  return {
    answer: (path, query) => answered(questions, path, facts, query),
    report: (name) => facts.report(name),
    writes: { '/api/halt': (reason) => facts.halt(reason), '/api/resume': (reason) => facts.resume(reason) },
    told: facts,
  };
}

/** Where to stop all of them is all that can be changed: each is allowed to buy again by itself. */
export function roomOfAll(facts: FactsOfAll): Room {
  return {
    answer: (path, query) => answered(questionsOfAll, path, facts, query),
    report: (name) => facts.report(name),
    writes: { '/api/halt': (reason) => facts.halt(reason) },
    told: {
      changed: () => facts.changed(),
      status: () => facts.status(),
      news: () => ({ marks: { decision: 0, evidence: 0 }, decisions: [], decided: 0, purchases: [] }),
    },
  };
}

function answered<Facts>(
  known: Readonly<Record<string, Answering<Facts>>>,
  path: string,
  facts: Facts,
  query: URLSearchParams,
): unknown {
  return Object.hasOwn(known, path) ? known[path]?.(facts, query) : undefined;
}

function narrowing(query: URLSearchParams): { readonly strategy: string | undefined; readonly words: string | undefined } {
  return { strategy: textOf(query, 'strategy'), words: textOf(query, 'words') };
}

function textOf(query: URLSearchParams, name: string): string | undefined {
  const text = query.get(name)?.trim().slice(0, WORDS_MAX);
  return text === '' ? undefined : text;
}

function numberOf(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name) ?? '';
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}
