import type { Profiler } from 'node:inspector';
import { pathToFileURL } from 'node:url';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { summary } from './profiling.ts';

function node(id: number, functionName: string, url: string): Profiler.ProfileNode {
  return { id, callFrame: { functionName, url, scriptId: '1', lineNumber: 0, columnNumber: 0 } };
}

it('a profile is added up by module and function, without what the processor did not do', () => {
  const profile: Profiler.Profile = {
    nodes: [
      node(1, '(idle)', ''),
      node(2, 'read', pathToFileURL(resolve('src/feed/slices/reader.ts')).href),
      node(3, 'parse', ''),
      node(4, '(garbage collector)', ''),
      node(5, '', 'file:///elsewhere/node_modules/undici/lib/client.js'),
      node(6, 'writev', 'node:net'),
      { ...node(7, 'post', 'node:inspector'), children: [8] },
      node(8, 'dispatch', ''),
    ],
    startTime: 0,
    endTime: 0,
    samples: [1, 2, 2, 3, 4, 5, 6, 7, 8],
    timeDeltas: [9_000, 1_000, 2_000, 500, 400, 300, 200, 5_000, 5_000],
  };
  const { totalMs, modules, functions } = summary(profile);
  expect(totalMs).toBeCloseTo(4.4);
  expect(modules.map(({ name }) => name)).toEqual([
    'src/feed/slices/reader.ts',
    'native',
    '(garbage collector)',
    'undici',
    'node:net',
  ]);
  expect(functions[0]).toEqual({ name: 'read in src/feed/slices/reader.ts', ms: 3 });
  expect(functions.map(({ name }) => name)).toContain('(anonymous) in undici');
});
