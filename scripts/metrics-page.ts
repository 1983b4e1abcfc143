import type { Definition, LabelValues } from '../src/monitor/definition.ts';
import { metrics } from '../src/monitor/metrics.ts';

/** The reference page of the metrics, from their table. */
export function metricsPage(note: string): string {
  const rows = Object.entries<Definition>(metrics).map(([name, definition]) => {
    const { type, help, labels, buckets } = definition;
    const shown = Object.entries(labels).map(([label, values]) => `\`${label}\`: ${valuesText(values)}`);
    const bucketText = buckets === undefined ? '' : ` Buckets up to ${buckets.join(', ')}.`;
    return `| \`${name}\` | ${type} | ${help}${bucketText} | ${shown.join('; ')} |`;
  });
  return `${[head(note), ...rows].join('\n')}\n`;
}

const head = (note: string): string => `# Metrics

${note}

What \`/metrics\` tells while \`metrics\` is configured ([monitoring.md](monitoring.md)); what begins with \`magpie_treasury_\` is told by \`magpie treasury run\` while \`treasury.metrics\` is. Money is in dollars, time in seconds, sizes in bytes. Every label takes only the values that
stand here, so that the number of series is bounded however long Magpie runs. What is not known yet, or not wanted, has no series; counters begin with 0 at each start.

| Metric | Type | Meaning | Labels |
| --- | --- | --- | --- |`;

/** Longer lists are those of a page of their own. */
const SHOWN_MAX = 20;

function valuesText(values: LabelValues): string {
  if ('of' in values) return values.atMost === 1 ? values.of : `${values.of}, ${values.atMost} at most`;
  if (values.length > SHOWN_MAX) return longList(values);
  return values.map((value) => `\`${value}\``).join(', ');
}

function longList(values: readonly string[]): string {
  if (values.includes('halt')) return 'a kind of [alerts.md](alerts.md)';
  if (values.includes('max-price')) return `${values.includes('none') ? '`none`, or ' : ''}a code of [reasons.md](reasons.md)`;
  if (values.includes('liveListings')) return 'a name of [api.md](api.md)';
  throw new Error(`a long list of values needs a page to point to: ${values.join(', ')}`);
}
