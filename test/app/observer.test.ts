import { expect, it } from 'vitest';
import { overheard } from '../../src/app/monitoring/observer.ts';
import type { Service } from '../../src/engine/ports.ts';

it('a question that fails for a defect is told to whoever asked, and to nobody else: it ends no process', async () => {
  const unheard: unknown[] = [];
  const note = (reason: unknown): unknown => unheard.push(reason);
  process.on('unhandledRejection', note);
  const heard: unknown[] = [];
  const broken: Service = { read: () => Promise.reject(new Error('a defect')) };
  await expect(overheard(broken, (name) => heard.push(name)).read('user')).rejects.toThrow('a defect');
  // Node tells of them after the microtasks.
  await new Promise((resolve) => setImmediate(resolve));
  process.off('unhandledRejection', note);
  expect([unheard, heard]).toEqual([[], []]);
});
