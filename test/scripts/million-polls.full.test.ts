import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import type { HttpFigures, VirtualFigures } from '../../scripts/polls/figures.ts';

const script = fileURLToPath(new URL('../../scripts/million-polls.ts', import.meta.url));

/** One entry of a map that is left behind at each poll is twice as much. Of a whole million it is a byte. */
const OBJECT_BYTES_A_POLL_MAX = 40;

it('tens of thousands of polls, bad answers among them, leave neither objects nor buffers, timers, sockets or files behind', async () => {
  const args = ['--import', 'tsx', script, '--polls', '24000', '--http', '1000', '--replaced', '6', '--json'];
  // Its own verdict is on a whole million.
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 1e8 }).catch(
    (error: { readonly code?: unknown; readonly stdout: string }) => {
      if (error.code !== 1) throw error;
      return error;
    },
  );
  const { virtual, http } = JSON.parse(stdout) as { virtual: VirtualFigures; http: HttpFigures };
  expect(virtual.bad, 'bad answers').toBeGreaterThan(500);
  expect(virtual.said['bought'], 'purchases').toBeGreaterThan(20);
  expect(virtual.slopes.objects).toBeLessThan(OBJECT_BYTES_A_POLL_MAX);
  expect(virtual.slopes.buffers).toBeLessThan(OBJECT_BYTES_A_POLL_MAX);
  expect(virtual.moreTimers).toBeLessThan(3);
  expect(http).toMatchObject({ flat: true });
  expect(http.failed).toBeGreaterThan(5);
});
