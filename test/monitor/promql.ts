import { parser } from '@prometheus-io/lezer-promql';
import type { Definition, LabelValues } from '../../src/monitor/definition.ts';
import { metrics } from '../../src/monitor/metrics.ts';

const table: Readonly<Record<string, Definition>> = metrics;

/** What Prometheus itself puts on every series. */
const ofThePlace = new Set(['job', 'instance']);

/** The metric that a series belongs to, and the labels that it may have. */
function seriesOf(name: string): { readonly labels: ReadonlyMap<string, LabelValues | undefined> } | undefined {
  if (name === 'up') return { labels: new Map() };
  const [, base = '', part] = /^(.+?)(_bucket|_sum|_count)$/.exec(name) ?? [];
  const definition = table[base]?.type === 'histogram' ? table[base] : table[name];
  if (definition === undefined || (definition.type === 'histogram') !== (part !== undefined)) return undefined;
  const labels = new Map<string, LabelValues | undefined>(Object.entries(definition.labels));
  if (part === '_bucket') labels.set('le', undefined);
  return { labels };
}

/** An expression as Prometheus reads it: its metrics, and what is wrong with it in view of the table of metrics. */
export interface Reading {
  readonly metrics: ReadonlySet<string>;
  /** Labels that its metrics may have, those of the place included. */
  readonly labels: ReadonlySet<string>;
  readonly faults: readonly string[];
}

interface Found {
  readonly metrics: Set<string>;
  readonly labels: Set<string>;
  readonly faults: string[];
  /** Labels that it sums or joins by. */
  readonly grouped: string[];
}

/** Reads an expression by the grammar of Prometheus. */
export function readPromql(expression: string): Reading {
  const found: Found = { metrics: new Set(), labels: new Set(ofThePlace), faults: [], grouped: [] };
  const text = (node: { readonly from: number; readonly to: number }): string => expression.slice(node.from, node.to);
  parser.parse(expression).iterate({
    enter: ({ type, node }) => {
      if (type.isError) found.faults.push(`it is no expression at "${expression.slice(node.from, node.from + 20)}"`);
      if (type.name === 'VectorSelector') {
        const identifier = node.getChild('Identifier');
        const matchers = node.getChild('LabelMatchers')?.getChildren('UnquotedLabelMatcher') ?? [];
        readSelector(
          identifier === null ? '' : text(identifier),
          matchers.map((matcher) => text(matcher)),
          found,
        );
      }
      if (type.name === 'GroupingLabels') found.grouped.push(...node.getChildren('LabelName').map((label) => text(label)));
    },
  });
  for (const label of found.grouped) if (!found.labels.has(label)) found.faults.push(`none of its metrics has ${label}`);
  return found;
}

function readSelector(name: string, matchers: readonly string[], { metrics: named, labels, faults }: Found): void {
  const series = seriesOf(name);
  if (series === undefined) return void faults.push(`there is no series ${name === '' ? 'without a name' : name}`);
  named.add(name);
  for (const label of series.labels.keys()) labels.add(label);
  for (const matcher of matchers) {
    const [, label = '', sign = '', value = ''] = /^(\w+)\s*(=~|!~|!=|=)\s*"(.*)"$/.exec(matcher) ?? [];
    if (ofThePlace.has(label)) continue;
    const values = series.labels.get(label);
    if (!series.labels.has(label)) faults.push(`${name} has no label ${label}`);
    else if (!sign.includes('~') && values !== undefined && !('of' in values) && !values.includes(value))
      faults.push(`${label} of ${name} is never ${value}`);
  }
}
