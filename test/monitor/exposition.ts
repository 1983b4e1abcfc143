/** One line of an exposition that tells a value. */
export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const NAME = '[a-zA-Z_:][a-zA-Z0-9_:]*';
const COMMENT = new RegExp(`^# (HELP|TYPE) (${NAME}) (.+)$`);
const SAMPLE = new RegExp(`^(${NAME})(?:\\{(.*)\\})? (\\S+)$`);
const LABEL = /^([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)/;

/**
 * Reads Prometheus' text format as its description has it, more strictly than Prometheus does, and throws for what breaks it: each
 * metric in one group with its meaning and type before it, no series twice, histograms that rise to their count.
 */
export function readExposition(text: string): readonly Sample[] {
  if (!text.endsWith('\n')) throw new Error('the last line has no end');
  const samples: Sample[] = [];
  const types = new Map<string, string>();
  const helped = new Set<string>();
  let group = '';
  for (const line of text.slice(0, -1).split('\n')) {
    const [, kind, name = '', words = ''] = COMMENT.exec(line) ?? [];
    if (kind === 'HELP') {
      if (helped.has(name)) throw new Error(`the meaning of ${name} stands twice`);
      helped.add(name);
      group = name;
    } else if (kind === 'TYPE') {
      if (name !== group || types.has(name)) throw new Error(`the type of ${name} stands elsewhere or twice`);
      types.set(name, words);
    } else samples.push(sampleOf(line, group, types.get(group)));
  }
  assertOnce(samples);
  for (const [name, type] of types) if (type === 'histogram') assertHistogram(name, samples);
  return samples;
}

function sampleOf(line: string, group: string, type: string | undefined): Sample {
  const [, name, labels = '', value = ''] = SAMPLE.exec(line) ?? [];
  if (name === undefined) throw new Error(`no line of the format: ${line}`);
  const own = type === 'histogram' ? [`${group}_bucket`, `${group}_sum`, `${group}_count`] : [group];
  if (type === undefined || !own.includes(name)) throw new Error(`${name} stands in the group of ${group}`);
  const number = value === '+Inf' ? Infinity : value === '-Inf' ? -Infinity : Number(value);
  if (Number.isNaN(number) && value !== 'NaN') throw new Error(`no number: ${line}`);
  return { name, labels: labelsOf(labels), value: number };
}

function labelsOf(text: string): Record<string, string> {
  const labels: Record<string, string> = {};
  for (let rest = text; rest !== '';) {
    const [whole, name = '', value = ''] = LABEL.exec(rest) ?? [];
    if (whole === undefined) throw new Error(`no labels: ${rest}`);
    if (Object.hasOwn(labels, name)) throw new Error(`the label ${name} stands twice`);
    labels[name] = value.replace(/\\(.)/g, (_, sign: string) => (sign === 'n' ? '\n' : sign));
    rest = rest.slice(whole.length);
  }
  return labels;
}

function keyOf({ name, labels }: Sample): string {
  return JSON.stringify([name, Object.entries(labels).toSorted(([one], [other]) => (one < other ? -1 : 1))]);
}

function assertOnce(samples: readonly Sample[]): void {
  const keys = samples.map(keyOf);
  const twice = keys.find((key, at) => keys.indexOf(key) !== at);
  if (twice !== undefined) throw new Error(`a series stands twice: ${twice}`);
}

function assertHistogram(name: string, samples: readonly Sample[]): void {
  for (const { labels, value } of samples.filter((sample) => sample.name === `${name}_count`)) {
    const same = (sample: Sample): boolean => Object.entries(labels).every(([label, word]) => sample.labels[label] === word);
    const buckets = samples.filter((sample) => sample.name === `${name}_bucket` && same(sample));
    const bounds = buckets.map((bucket) => (bucket.labels['le'] === '+Inf' ? Infinity : Number(bucket.labels['le'])));
    const rises = (values: readonly number[]): boolean => values.every((each, at) => each >= (values[at - 1] ?? -Infinity));
    const counts = buckets.map((bucket) => bucket.value);
    if (bounds.at(-1) !== Infinity || !rises(bounds) || !rises(counts) || counts.at(-1) !== value)
      throw new Error(`${name} is no histogram: ${bounds.join(' ')} / ${counts.join(' ')} / ${value}`);
  }
}

/** The value of one series; undefined where there is none. */
export function valueOf(
  samples: readonly Sample[],
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number | undefined {
  return samples.find(
    (sample) => sample.name === name && Object.entries(labels).every(([label, value]) => sample.labels[label] === value),
  )?.value;
}
