import { execFileSync } from 'node:child_process';
import { constants, mkdtempSync, openSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openSink } from '../../src/app/sink.ts';
import { pause } from './stage.ts';

/** A pipe that nobody reads until it is asked to be. */
function pipe(): { readonly fd: number; drain(): string } {
  const folder = mkdtempSync(join(tmpdir(), 'magpie-sink-'));
  const path = join(folder, 'pipe');
  execFileSync('mkfifo', [path]);
  // Never closed: a sink whose reader stands still writes to its descriptor for as long as the process lives, whoever has that number by then.
  const fd = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return { fd, drain: () => readAll(fd) };
}

function readAll(fd: number): string {
  const bytes = Buffer.alloc(1024 * 1024);
  let text = '';
  try {
    for (let read = readSync(fd, bytes); read > 0; read = readSync(fd, bytes)) text += bytes.toString('utf8', 0, read);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
  }
  return text;
}

const line = (number: number): string => `line ${number} ${'x'.repeat(1_000)}\n`;

describe('lines for a reader', () => {
  it('that stands still cost the writer nothing: they wait, then they are dropped [P34]', async () => {
    const { fd, drain } = pipe();
    const sink = openSink(fd);
    for (let number = 0; number < 20_000; number++) sink.write(line(number));
    await pause(10);
    // A writer that waited for its reader would never come here: nobody reads before.
    await sink.flushed();
    let read = '';
    for (let round = 0; round < 200 && !read.includes('line 500 '); round++) {
      read += drain();
      await pause(20);
    }
    expect(read.startsWith('line 0 ')).toBe(true);
    expect(read).toContain('line 500 ');
    while (drain() !== '') await pause(50);
  });

  it('that is gone or full end nothing [P34]', async () => {
    const { fd } = pipe();
    // Closed by the sink itself once writing has failed.
    const gone = openSync('/dev/full', 'w');
    for (const target of [fd, gone]) {
      const sink = openSink(target);
      expect(() => sink.write('a line\n')).not.toThrow();
      await expect(sink.flushed()).resolves.toBeUndefined();
    }
  });
});
