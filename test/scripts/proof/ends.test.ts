import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { DaemonProcess } from '../../../scripts/proof/daemon-process.ts';
import { Running } from '../../../scripts/proof/programs.ts';

function freshFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'magpie-ends-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A process of the program that would go on until somebody ends it; it has begun to listen. */
async function goingOn(): Promise<Running> {
  const running = new Running(['sandbox', '--port', '0'], { cwd: freshFolder() });
  onTestFinished(async () => void (await running.end('SIGKILL')));
  await expect.poll(() => running.text, { timeout: 60_000 }).toContain('http');
  return running;
}

describe('a process that ends', () => {
  it('was killed by the kill that found it alive, and says nothing of an end of its own', async () => {
    const running = await goingOn();
    expect([running.wasKilled, running.endedByItself]).toEqual([false, undefined]);
    await running.end('SIGKILL');
    expect([running.wasKilled, running.endedByItself]).toEqual([true, undefined]);
  });

  it('has not ended by itself where it was asked to stop, nor was it killed', async () => {
    const running = await goingOn();
    expect(await running.end('SIGTERM')).toBe(0);
    expect([running.wasKilled, running.endedByItself]).toEqual([false, undefined]);
  });

  it('ended by itself where a signal of somebody else’s ended it', async () => {
    const running = await goingOn();
    process.kill(running.pid, 'SIGKILL');
    await running.ended;
    expect(running.wasKilled).toBe(false);
    expect(running.endedByItself).toMatch(/^ended by itself by SIGKILL, and last said:\n/);
  });

  it('ended by itself with its exit code and its last words, whether or not a kill comes after it', async () => {
    const running = new Running(['--version'], { cwd: freshFolder() });
    await running.ended;
    await running.end('SIGKILL');
    expect(running.wasKilled).toBe(false);
    expect(running.endedByItself).toMatch(/^ended by itself with 0, and last said:\n\d+\.\d+\.\d+$/);
  });
});

describe('a daemon that cannot run', () => {
  it('is told of at each start, and no kill that finds it dead counts', async () => {
    const folder = freshFolder();
    writeFileSync(join(folder, 'magpie.yaml'), 'mode: perhaps\n');
    const daemon = new DaemonProcess(folder, {});
    for (let start = 0; start < 2; start++) {
      daemon.start();
      await expect.poll(() => daemon.isRunning, { timeout: 60_000 }).toBe(false);
      expect(await daemon.kill()).toBe(false);
    }
    expect([daemon.starts, daemon.kills]).toEqual([2, 0]);
    expect(daemon.endsByItself.map((words) => words.split('\n', 1)[0])).toEqual([
      'the daemon of start 1 ended by itself with 2, and last said:',
      'the daemon of start 2 ended by itself with 2, and last said:',
    ]);
    expect(daemon.endsByItself[0]).toContain('mode');
  });
});
