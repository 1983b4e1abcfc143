import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openSink } from '../../src/app/sink.ts';

describe('lines for a reader', () => {
  it('have left when they are said to: what is written elsewhere next comes after them', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'magpie-sink-'));
    const fd = openSync(join(folder, 'lines'), 'a');
    onTestFinished(() => {
      closeSync(fd);
      rmSync(folder, { recursive: true });
    });
    const sink = openSink(fd);
    const line = `${'x'.repeat(1_000)}\n`;
    let wanted = '';
    for (let number = 0; number < 50; number++) {
      sink.write(line);
      await sink.flushed();
      writeSync(fd, `after ${number}\n`);
      wanted += `${line}after ${number}\n`;
    }
    await sink.flushed();
    expect(readFileSync(join(folder, 'lines'), 'utf8')).toBe(wanted);
  });
});
