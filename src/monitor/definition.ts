/** The values that a label may take: exactly these, or names of something of which there are at most so many. */
export type LabelValues = readonly string[] | { readonly of: string; readonly atMost: number };

/** What one metric is. Everything that names metrics is derived from such definitions, or held to them. */
export interface Definition {
  readonly type: 'counter' | 'gauge' | 'histogram';
  /** One sentence for a person. */
  readonly help: string;
  readonly labels: Readonly<Record<string, LabelValues>>;
  /** Upper bounds of a histogram's buckets, rising; in the metric's unit. */
  readonly buckets?: readonly number[];
}

type Labels = Definition['labels'];
// oxlint-disable-next-line typescript/no-generated-empty-object-type -- a block without any key is what is meant
type NoLabels = Readonly<Record<never, LabelValues>>;

export interface Plain<T extends Definition['type'], L extends Labels> {
  readonly type: T;
  readonly help: string;
  readonly labels: L;
}

/** Only ever grows while the process lives. */
export function counter(help: string): Plain<'counter', NoLabels>;
export function counter<const L extends Labels>(help: string, labels: L): Plain<'counter', L>;
export function counter(help: string, labels: Labels = {}): Plain<'counter', Labels> {
  return { type: 'counter', help, labels };
}

/** What is so at the moment. */
export function gauge(help: string): Plain<'gauge', NoLabels>;
export function gauge<const L extends Labels>(help: string, labels: L): Plain<'gauge', L>;
export function gauge(help: string, labels: Labels = {}): Plain<'gauge', Labels> {
  return { type: 'gauge', help, labels };
}

type Bucketed<L extends Labels> = Plain<'histogram', L> & { readonly buckets: readonly number[] };

/** How often something took at most so long. */
export function histogram(help: string, buckets: readonly number[]): Bucketed<NoLabels>;
export function histogram<const L extends Labels>(help: string, buckets: readonly number[], labels: L): Bucketed<L>;
export function histogram(help: string, buckets: readonly number[], labels: Labels = {}): Bucketed<Labels> {
  return { type: 'histogram', help, labels, buckets };
}
