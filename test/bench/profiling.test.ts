import type { Profiler } from 'node:inspector';
import { pathToFileURL } from 'node:url';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { summary } from './profiling.ts';

function node(id: number, functionName: string, url: string): Profiler.ProfileNode {
  return { id, callFrame: { functionName, url, scriptId: '1', lineNumber: 0, columnNumber: 0 } };
}

/** Idle, the reader of ours, JSON.parse that it called, the collector, undici, and the profiler itself. */
const profile: Profiler.Profile = {
  nodes: [
    node(1, '(idle)', ''),
    { ...node(2, 'read', pathToFileURL(resolve('src/feed/slices/reader.ts')).href), children: [3] },
    node(3, 'parse', ''),
    node(4, '(garbage collector)', ''),
    node(5, '', 'file:///elsewhere/node_modules/undici/lib/client.js'),
    node(6, 'writev', 'node:net'),
    { ...node(7, 'post', 'node:inspector'), children: [8] },
    node(8, 'dispatch', ''),
  ],
  startTime: 0,
  endTime: 23_400,
  samples: [1, 2, 2, 3, 4, 5, 6, 7, 8],
  timeDeltas: [9_000, 1_000, 2_000, 500, 400, 300, 200, 5_000, 5_000],
};

describe('a profile', () => {
  it('is added up by file and function, without what the processor did not do', () => {
    const { totalMs, files, functions } = summary(profile);
    expect(totalMs).toBeCloseTo(4.4);
    expect(files).toEqual([
      { name: 'src/feed/slices/reader.ts', ms: 3.5 },
      { name: '(garbage collector)', ms: 0.4 },
      { name: 'undici', ms: 0.3 },
      { name: 'node:net', ms: 0.2 },
    ]);
    expect(functions.slice(0, 2)).toEqual([
      { name: 'read in src/feed/slices/reader.ts', ms: 3 },
      { name: 'parse in native', ms: 0.5 },
    ]);
    expect(functions.map(({ name }) => name)).toContain('(anonymous) in undici');
  });

  it('is added up for some stretches of time alone', () => {
    const { totalMs, files } = summary(profile, [{ from: 9_500, to: 12_100 }]);
    expect(totalMs).toBeCloseTo(3);
    expect(files).toEqual([{ name: 'src/feed/slices/reader.ts', ms: 3 }]);
    expect(summary(profile, []).totalMs).toBe(0);
  });
});
