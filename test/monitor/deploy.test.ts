import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { metrics } from '../../src/monitor/metrics.ts';
import { readPromql } from './promql.ts';

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels: { readonly severity: string };
  readonly annotations: Readonly<Record<'summary' | 'description', string>>;
}

interface Panel {
  readonly id: number;
  readonly title: string;
  readonly type: string;
  readonly description?: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[];
}

interface Dashboard {
  readonly panels: readonly Panel[];
  readonly templating: { readonly list: readonly { readonly name: string; readonly definition?: string }[] };
  readonly annotations: { readonly list: readonly { readonly expr: string }[] };
}

const text = (path: string): string => readFileSync(new URL(`../../deploy/${path}`, import.meta.url), 'utf8');
const { groups } = parse(text('prometheus/magpie-alerts.yml')) as { groups: { name: string; rules: Rule[] }[] };
const rules = groups.flatMap((group) => group.rules);
const dashboard = JSON.parse(text('grafana/magpie.json')) as Dashboard;
const targets = dashboard.panels.flatMap(({ title, targets: shown = [] }) => shown.map((target) => ({ title, ...target })));

/** Grafana puts a duration in its place. */
const asPrometheusSees = (expression: string): string => expression.replaceAll('$__rate_interval', '5m');

const named = (words: string, pattern: RegExp): string[] => [...words.matchAll(pattern)].map(([, label = '']) => label);

describe('an expression', () => {
  it.each([
    ['magpie_halted == 1', []],
    ['sum by (le) (rate(magpie_poll_duration_seconds_bucket{job="x"}[5m]))', []],
    ['magpie_stopped == 1', ['there is no series magpie_stopped']],
    ['magpie_poll_duration_seconds', ['there is no series magpie_poll_duration_seconds']],
    ['magpie_halted_count', ['there is no series magpie_halted_count']],
    ['magpie_halted{state="on"}', ['magpie_halted has no label state']],
    ['magpie_polls_total{result="good"}', ['result of magpie_polls_total is never good']],
    ['sum by (strategy) (magpie_halted)', ['none of its metrics has strategy']],
    ['magpie_halted ==', ['it is no expression at ""']],
  ])('%s is held to the table of metrics', (expression, faults) => {
    expect(readPromql(expression).faults).toEqual(faults);
  });
});

describe('the alert rules', () => {
  it.each(rules.map((rule) => [rule.alert, rule] as const))(
    '%s: what it asks for exists, and so does what it tells',
    (_, rule) => {
      const { faults, labels } = readPromql(rule.expr);
      expect(faults).toEqual([]);
      const told = named(Object.values(rule.annotations).join(' '), /\{\{ *\$labels\.(\w+) *\}\}/g);
      expect(told.filter((label) => !labels.has(label))).toEqual([]);
      expect(rule.labels.severity).toMatch(/^(?:critical|warning|info)$/);
      expect(rule.annotations.summary.length).toBeGreaterThan(10);
      expect(rule.annotations.description.length).toBeGreaterThan(10);
    },
  );

  it('are one for each of what a person must know, under a name of its own', () => {
    const names = rules.map(({ alert }) => alert);
    expect(new Set(names).size).toBe(names.length);
    for (const name of [
      ...['MagpieDown', 'MagpieNoCompletePoll', 'MagpieHalted', 'MagpieUnknownPurchases', 'MagpieBalanceNearReserve'],
      ...['MagpieKeyRefused', 'MagpieChannelFailing', 'MagpieDiskLow', 'MagpieCapNearlyUsed', 'MagpieBackupOld'],
      ...['MagpieTreasuryDown', 'MagpieTreasuryHalted', 'MagpieTreasuryTransferOpen', 'MagpieTreasuryBalanceNearReserve'],
    ])
      expect(names).toContain(name);
  });

  it('are loaded by the example for Prometheus, which scrapes where Magpie listens by default', () => {
    const example = parse(text('prometheus/prometheus.yml')) as {
      rule_files: string[];
      scrape_configs: { job_name: string; static_configs: { targets: string[] }[] }[];
    };
    expect(example.rule_files).toEqual(['magpie-alerts.yml']);
    expect(example.scrape_configs).toMatchObject([
      { job_name: 'magpie', static_configs: [{ targets: ['127.0.0.1:9790'] }] },
      { job_name: 'magpie-treasury', static_configs: [{ targets: ['127.0.0.1:9791'] }] },
    ]);
  });
});

describe('the dashboard', () => {
  it.each(targets.map(({ title, expr, legendFormat }) => [title, expr, legendFormat] as const))(
    '%s: what it asks for exists, and so do the labels of its legend: %s',
    (_, expr, legendFormat) => {
      const { faults, labels } = readPromql(asPrometheusSees(expr));
      expect(faults).toEqual([]);
      expect(named(legendFormat, /\{\{(\w+)\}\}/g).filter((label) => !labels.has(label))).toEqual([]);
    },
  );

  it('asks for the instances that there are, and marks starts', () => {
    const [, metric, label] = /^label_values\((\w+), (\w+)\)$/.exec(dashboard.templating.list[1]?.definition ?? '') ?? [];
    expect([Object.hasOwn(metrics, metric ?? ''), label]).toEqual([true, 'instance']);
    for (const { expr } of dashboard.annotations.list) expect(readPromql(expr).faults).toEqual([]);
  });

  it('has panels that lie beside each other, each with a title and what it is', () => {
    const cells = new Set<string>();
    for (const { title, type, description, gridPos } of dashboard.panels) {
      expect([title, gridPos.x + gridPos.w <= 24]).toEqual([title, true]);
      if (type !== 'row') expect([title, (description ?? '').length > 3]).toEqual([title, true]);
      for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++)
        for (let y = gridPos.y; y < gridPos.y + gridPos.h; y++) {
          expect(cells.has(`${x}/${y}`)).toBe(false);
          cells.add(`${x}/${y}`);
        }
    }
    const ids = dashboard.panels.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('shows, with the rules, nearly every metric that there is: what nobody looks at need not be told', () => {
    const used = [...rules.map(({ expr }) => expr), ...targets.map(({ expr }) => asPrometheusSees(expr))].flatMap((expr) => [
      ...readPromql(expr).metrics,
    ]);
    const shown = new Set(used.flatMap((name) => [name, name.replace(/_(?:bucket|sum|count)$/, '')]));
    expect(Object.keys(metrics).filter((name) => !shown.has(name))).toMatchInlineSnapshot(`
      [
        "magpie_unknown_purchases_limit",
        "magpie_strategies",
        "magpie_dead_man_pings_total",
        "process_start_time_seconds",
        "process_max_fds",
        "nodejs_heap_size_total_bytes",
      ]
    `);
  });
});
