import { describe, expect, it } from 'vitest';
import { figure, time } from './figure.ts';
import { type Report, historyLine, markdownOf, reportText, summaryOf } from './report.ts';

const figures = [
  figure({ id: 'wire-100-p50', what: 'last byte → POST', floor: '0.85 ms', ours: '0.49 ms', value: 0.58 }, 0.75),
  figure({ id: 'limiter-p50', what: 'limiter', floor: '3.70 ms', ours: '0.2 ms', value: 0.2, unit: 'ms' }, 0.1),
  figure({ id: 'first', what: 'first sight', floor: '54 µs', ours: '90 µs', value: 1.66666 }),
];

const setting = {
  commit: 'abc-dirty',
  at: '2026-01-05T12:00:00.000Z',
  node: 'v20.1.0',
  cores: 2,
  cpu: 'a CPU',
  load: 0.5,
  parse: 'default',
};
const report: Report = { setting, seconds: 123.4, figures };

describe('the report of a bench', () => {
  it('is a table with a verdict on each goal, and a summary that names what was missed with its figure', () => {
    expect(reportText(report)).toMatchInlineSnapshot(`
      "Magpie abc-dirty · Node.js v20.1.0 · 2 × a CPU · load 0.5 · 123 s

                          floor   Magpie    figure      goal
      last byte → POST  0.85 ms  0.49 ms     0.580    ≤ 0.75  met
      limiter           3.70 ms   0.2 ms  0.200 ms  ≤ 0.1 ms  MISSED
      first sight         54 µs    90 µs     1.667

      1 of 2 goals met.
      missed: limiter: 0.200 ms, wanted ≤ 0.1 ms
      "
    `);
  });

  it('is a table for a document too', () => {
    expect(markdownOf(report)).toMatchInlineSnapshot(`
      "| what | floor | Magpie | figure | goal |  |
      | --- | ---: | ---: | ---: | ---: | --- |
      | last byte → POST | 0.85 ms | 0.49 ms | 0.580 | ≤ 0.75 | met |
      | limiter | 3.70 ms | 0.2 ms | 0.200 ms | ≤ 0.1 ms | **missed** |
      | first sight | 54 µs | 90 µs | 1.667 |  |  |

      Commit abc-dirty, Node.js v20.1.0, 2 cores, load 0.5 when the run began.
      "
    `);
  });

  it('says so when the machine was busy', () => {
    expect(reportText({ ...report, setting: { ...setting, load: 1.5 } })).toContain('The machine was busy (load 1.5 on 2 cores)');
    expect(reportText(report)).not.toContain('busy');
  });

  it('counts a figure that could not be taken among the missed', () => {
    const none = figure({ id: 'x', what: 'x', floor: '', ours: '', value: Number.NaN }, 1);
    expect(summaryOf([none])).toMatch(/^0 of 1 goals met/);
  });

  it('becomes one line of the history, by ids that stay', () => {
    expect(historyLine(report)).not.toContain('\n');
    expect(JSON.parse(historyLine(report))).toEqual({
      ...setting,
      seconds: 123,
      ratios: { 'wire-100-p50': 0.58, 'limiter-p50': 0.2, first: 1.6667 },
    });
  });
});

it('times are told in the unit in which they can be read', () => {
  expect([0.0009, 0.054, 0.58, 55.12, -24.06, 104].map(time)).toEqual([
    '0.9 µs',
    '54 µs',
    '0.58 ms',
    '55.1 ms',
    '-24.1 ms',
    '104.0 ms',
  ]);
});
