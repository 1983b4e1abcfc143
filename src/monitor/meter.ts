import type { Definition } from './definition.ts';
import { type CounterName, type GaugeName, type HistogramName, type LabelsOf, type MetricName, metrics } from './metrics.ts';

/** What the text of a meter is: Prometheus' own format. */
export const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

interface Series {
  readonly labels: Readonly<Record<string, string>>;
  /** Of a histogram: how many observations; the sum stands beside. */
  value: number;
  sum: number;
  /** How many observations lay in each bucket, the ones below not counted. */
  readonly counts: number[];
}

/** The series of one metric. */
class Family {
  readonly #definition: Definition;
  /** Stand before the labels of every series. */
  readonly #always: Readonly<Record<string, string>>;
  readonly #names: readonly string[];
  /** By the labels as they are told: what looks the same there is the same. */
  readonly #told = new Map<string, Series>();
  /** By the labels as they were given. */
  readonly #known = new Map<string, Series>();

  constructor(definition: Definition, always: Readonly<Record<string, string>>) {
    this.#definition = definition;
    this.#always = always;
    this.#names = Object.keys(definition.labels);
  }

  clear(): void {
    this.#told.clear();
    this.#known.clear();
  }

  /** Throws RangeError for a value that a label does not take: it would be a series that nobody bounds. */
  series(given: Readonly<Record<string, string>>, scrub: (text: string) => string): Series {
    const key = this.#names.map((name) => given[name]).join('\0');
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const own = this.#names.map((name) => [name, this.#value(name, given[name] ?? '', scrub)]);
    const labels = { ...this.#always, ...(Object.fromEntries(own) as Record<string, string>) };
    const text = labelText(labels);
    const series = this.#told.get(text) ?? { labels, value: 0, sum: 0, counts: [] };
    this.#told.set(text, series);
    this.#known.set(key, series);
    return series;
  }

  lines(name: string): string[] {
    const { type, help, buckets } = this.#definition;
    const lines = [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`];
    for (const [text, series] of this.#told) {
      if (buckets === undefined) lines.push(`${name}${text} ${number(series.value)}`);
      else lines.push(...histogramLines(name, series, buckets));
    }
    return lines;
  }

  #value(name: string, given: string, scrub: (text: string) => string): string {
    const values = this.#definition.labels[name] ?? [];
    if ('of' in values) return scrub(given);
    if (!values.includes(given)) throw new RangeError(`a label ${name} does not take "${given}"`);
    return given;
  }
}

/** One process' metrics: their values, and the text in which they are told. Nothing about it is global. */
export class Meter {
  readonly #scrub: (text: string) => string;
  readonly #families: ReadonlyMap<MetricName, Family>;

  /** `scrub` masks our secrets in whatever is no fixed word. `account`: which of several accounts every series is of. */
  constructor(scrub: (text: string) => string, account?: string) {
    this.#scrub = scrub;
    const always: Readonly<Record<string, string>> = account === undefined ? {} : { account };
    const names = Object.keys(metrics) as MetricName[];
    this.#families = new Map(names.map((name) => [name, new Family(metrics[name], always)]));
    for (const [name, family] of this.#families) {
      for (const labels of startsWith(metrics[name])) family.series(labels, scrub);
    }
  }

  add<N extends CounterName>(name: N, labels: LabelsOf<N>, by = 1): void {
    this.#series(name, labels).value += by;
  }

  set<N extends GaugeName>(name: N, labels: LabelsOf<N>, value: number): void {
    this.#series(name, labels).value = value;
  }

  /** Takes away every series of a metric, so that what is no more is not told any longer. */
  clear(name: GaugeName): void {
    this.#families.get(name)?.clear();
  }

  observe<N extends HistogramName>(name: N, labels: LabelsOf<N>, value: number): void {
    const series = this.#series(name, labels);
    series.value += 1;
    series.sum += value;
    const { buckets } = metrics[name];
    const at = buckets.findIndex((bound) => value <= bound);
    const place = at === -1 ? buckets.length : at;
    series.counts[place] = (series.counts[place] ?? 0) + 1;
  }

  /** Everything, in Prometheus' text format; a metric without a series only by its name and meaning. */
  text(): string {
    return `${[...this.#families].flatMap(([name, family]) => family.lines(name)).join('\n')}\n`;
  }

  #series(name: MetricName, labels: Readonly<Record<string, string>>): Series {
    const family = this.#families.get(name);
    if (family === undefined) throw new RangeError(`there is no metric ${name}`);
    return family.series(labels, this.#scrub);
  }
}

/** The texts of several meters as one: each metric with its name and meaning once, then the series of all. */
export function together(texts: readonly string[]): string {
  const families = new Map<string, { readonly head: readonly string[]; readonly series: string[] }>();
  for (const text of texts) {
    for (const block of text.split(/^(?=# HELP )/m)) {
      const lines = block.split('\n').filter((line) => line !== '');
      const head = lines.filter((line) => line.startsWith('# '));
      const name = head[0]?.split(' ')[2];
      if (name === undefined) continue;
      const family = families.get(name) ?? { head, series: [] };
      families.set(name, family);
      for (const line of lines) if (!line.startsWith('# ')) family.series.push(line);
    }
  }
  return `${[...families.values()].flatMap(({ head, series }) => [...head, ...series]).join('\n')}\n`;
}

/** More combinations than this are told only once they have happened. */
const STARTED_MAX = 20;

/** Counters begin with 0 rather than with nothing, so that the first time something happens is seen as a rise. */
function startsWith({ type, labels }: Definition): readonly Readonly<Record<string, string>>[] {
  if (type === 'gauge' || (type === 'histogram' && Object.keys(labels).length > 0)) return [];
  let combinations: Record<string, string>[] = [{}];
  for (const [label, values] of Object.entries(labels)) {
    if ('of' in values || combinations.length * values.length > STARTED_MAX) return [];
    combinations = combinations.flatMap((before) => values.map((value) => ({ ...before, [label]: value })));
  }
  return combinations;
}

function histogramLines(name: string, { labels, value, sum, counts }: Series, buckets: readonly number[]): string[] {
  let upTo = 0;
  const lines = buckets.map((bound, place) => {
    upTo += counts[place] ?? 0;
    return `${name}_bucket${labelText({ ...labels, le: number(bound) })} ${upTo}`;
  });
  return [
    ...lines,
    `${name}_bucket${labelText({ ...labels, le: '+Inf' })} ${value}`,
    `${name}_sum${labelText(labels)} ${number(sum)}`,
    `${name}_count${labelText(labels)} ${value}`,
  ];
}

function labelText(labels: Readonly<Record<string, string>>): string {
  const parts = Object.entries(labels).map(([label, value]) => `${label}="${escaped(value)}"`);
  return parts.length === 0 ? '' : `{${parts.join(',')}}`;
}

/** As the format has it. Other signs of control end no line there, but they would in whatever shows it. */
function escaped(value: string): string {
  return value
    .replaceAll('\\', '\\\\')
    .replaceAll('"', '\\"')
    .replaceAll('\n', '\\n')
    .replace(/\p{Cc}|\p{Cs}|[\u2028\u2029]/gu, '\uFFFD');
}

function number(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf';
  return String(value);
}
