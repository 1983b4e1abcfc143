import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Secret, scrubber } from '../../src/domain/secret.ts';
import { Meter } from '../../src/monitor/meter.ts';
import { metrics } from '../../src/monitor/metrics.ts';
import { readExposition, valueOf } from './exposition.ts';

const fresh = (): Meter => new Meter((text) => text);

describe('a meter', () => {
  it('tells every metric of the table with its type and meaning, and nothing else', () => {
    const text = fresh().text();
    const told = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, type]) => [name, type]);
    expect(told).toEqual(Object.entries(metrics).map(([name, { type }]) => [name, type]));
    expect(readExposition(text).every(({ value }) => value === 0)).toBe(true);
  });

  it('counts from 0 what can happen, so that the first time is seen as a rise', () => {
    const meter = fresh();
    expect(valueOf(readExposition(meter.text()), 'magpie_polls_total', { result: 'failed' })).toBe(0);
    meter.add('magpie_polls_total', { result: 'failed' });
    meter.add('magpie_polls_total', { result: 'failed' }, 2);
    expect(valueOf(readExposition(meter.text()), 'magpie_polls_total', { result: 'failed' })).toBe(3);
  });

  it('tells of a histogram how many were at most so large, their sum and their number', () => {
    const meter = fresh();
    for (const seconds of [0.01, 0.02, 0.025, 7, 31])
      meter.observe('magpie_request_duration_seconds', { endpoint: 'buy' }, seconds);
    const samples = readExposition(meter.text());
    const upTo = (le: string): number | undefined =>
      valueOf(samples, 'magpie_request_duration_seconds_bucket', { endpoint: 'buy', le });
    expect(['0.01', '0.025', '5', '10', '30', '+Inf'].map(upTo)).toEqual([1, 3, 3, 4, 4, 5]);
    expect(valueOf(samples, 'magpie_request_duration_seconds_sum', { endpoint: 'buy' })).toBeCloseTo(38.055, 9);
    expect(valueOf(samples, 'magpie_request_duration_seconds_count', { endpoint: 'buy' })).toBe(5);
  });

  it('takes no word for a label that the table does not have: nobody outside makes series', () => {
    const meter = fresh();
    expect(() => meter.add('magpie_requests_total', { endpoint: 'mint', result: 'ok' })).toThrow(RangeError);
    expect(() => meter.set('magpie_market_status', { market: 'c5game', status: 'on fire' }, 1)).toThrow(RangeError);
    expect(meter.text()).not.toMatch(/mint|on fire/);
  });

  it('is of the same format whatever a strategy is called', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' }), { maxLength: 5 }), (names) => {
        const meter = fresh();
        for (const strategy of names) meter.set('magpie_strategy_purchases', { strategy, window: 'day' }, 7);
        const told = readExposition(meter.text()).filter(({ name }) => name === 'magpie_strategy_purchases');
        for (const strategy of names) {
          const seen = strategy.replace(/(?!\n)\p{Cc}|\p{Cs}|[\u2028\u2029]/gu, '\uFFFD');
          expect(told.map(({ labels }) => labels['strategy'])).toContain(seen);
        }
      }),
    );
    const meter = fresh();
    meter.set('magpie_strategy_purchases', { strategy: 'a"} 1\nmagpie_halted 1\n# {"\\', window: 'day' }, 1);
    expect(valueOf(readExposition(meter.text()), 'magpie_halted')).toBeUndefined();
  });

  it('holds no secret, and tells names once that look the same without it', () => {
    const meter = new Meter(scrubber([new Secret('0123456789abcdef'), new Secret('fedcba9876543210')]));
    for (const strategy of ['0123456789abcdef', 'fedcba9876543210'])
      meter.set('magpie_strategy_purchases', { strategy, window: 'day' }, 1);
    const told = readExposition(meter.text()).filter(({ name }) => name === 'magpie_strategy_purchases');
    expect(told.map(({ labels }) => labels['strategy'])).toEqual(['***']);
  });

  it('forgets what is no more', () => {
    const meter = fresh();
    for (let at = 0; at < 1_000; at++) {
      meter.clear('magpie_strategy_purchases');
      meter.set('magpie_strategy_purchases', { strategy: `s${at}`, window: 'day' }, 1);
    }
    expect(readExposition(meter.text()).filter(({ name }) => name === 'magpie_strategy_purchases')).toHaveLength(1);
  });
});

describe('the table of metrics', () => {
  const all = Object.entries(metrics);

  it('names each as is usual: what it is of, its unit, and _total where it only grows', () => {
    for (const [name, { type }] of all) {
      expect(name).toMatch(/^(?:magpie|process|nodejs)(?:_[a-z0-9]+)+$/);
      expect([name, name.endsWith('_total')]).toEqual([name, type === 'counter']);
      expect(name).not.toMatch(/_(?:ms|milliseconds|minutes|hours|usd|cents|kb|mb|percent)(?:_|$)/);
      if (type === 'histogram') expect(name).toMatch(/_seconds$/);
    }
  });

  it('says what each means, in a sentence on one line', () => {
    for (const [name, { help }] of all) expect([name, help]).toEqual([name, expect.stringMatching(/^[A-Z`0-9][^\n\\]*\.$/)]);
  });

  it('bounds the number of series', () => {
    const series = all.map(([, { labels, ...more }]) => {
      const sizes = Object.values<readonly string[] | { readonly atMost: number }>(labels).map((values) =>
        'atMost' in values ? values.atMost : values.length,
      );
      const buckets = 'buckets' in more ? more.buckets.length + 3 : 1;
      return sizes.reduce((product, size) => product * size, buckets);
    });
    expect(series.reduce((total, each) => total + each, 0)).toBeLessThan(5_000);
  });
});
