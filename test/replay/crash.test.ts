import { spawn } from 'node:child_process';
import { copyFileSync, existsSync, statSync, truncateSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Polls, START, entries, entry } from '../support/feed-entries.ts';
import { recordingPath, rows, standingByEvents, tapeAt } from './recording.ts';

/** The files of a recording as a crash would leave them, at another place. */
function copyOf(path: string): string {
  const copy = recordingPath();
  for (const ending of ['', '-wal']) if (existsSync(path + ending)) copyFileSync(path + ending, copy + ending);
  return copy;
}

describe('a crash while recording', () => {
  it('loses no poll that was written, and the next session goes on after it', () => {
    const path = recordingPath();
    const { tape } = tapeAt(path);
    const polls = new Polls();
    for (let poll = 1; poll <= 5; poll++) {
      tape.poll(polls.next(entries(poll)));
      const left = copyOf(path);
      const next = tapeAt(left, { startedAt: START + 60_000 });
      next.tape.poll(new Polls().next([entry({ id: '9' })]));
      next.tape.close(START + 70_000);
      expect(next.troubles).toEqual([]);
      expect(rows(left, 'SELECT session, seq FROM poll')).toEqual([
        ...Array.from({ length: poll }, (_, index) => ({ session: 1, seq: index + 1 })),
        { session: 2, seq: 1 },
      ]);
      expect(rows(left, 'SELECT stopped_at FROM session')).toEqual([{ stopped_at: null }, { stopped_at: START + 70_000 }]);
      expect([...standingByEvents(left).keys()]).toEqual(['c5game:9']);
    }
    tape.close(START + 60_000);
  });

  it('leaves whole polls only, wherever the log beside the file breaks off', () => {
    const path = recordingPath();
    const { tape } = tapeAt(path);
    const polls = new Polls();
    for (let poll = 1; poll <= 8; poll++) tape.poll(polls.next(entries(poll)));
    const walBytes = statSync(`${path}-wal`).size;
    fc.assert(
      fc.property(fc.integer({ min: 0, max: walBytes }), (bytes) => {
        const left = copyOf(path);
        truncateSync(`${left}-wal`, bytes);
        const next = tapeAt(left, { startedAt: START + 60_000 });
        next.tape.poll(new Polls().next([]));
        next.tape.close(START + 70_000);
        expect(next.troubles).toEqual([]);
        const written = rows(
          left,
          `SELECT seq FROM poll JOIN session ON session.id = session WHERE started_at = ${START}`,
        ).length;
        expect(rows(left, 'SELECT count(*) AS n FROM event')).toEqual([{ n: written }]);
        expect(rows(left, 'PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }]);
      }),
      { numRuns: 25 },
    );
    tape.close(START + 60_000);
  });

  it('by kill -9 leaves every poll that was said to be written', async () => {
    const path = recordingPath();
    const child = spawn(
      process.execPath,
      ['--import', 'tsx', fileURLToPath(new URL('./endless-recorder.ts', import.meta.url)), path],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    let said = '';
    for await (const chunk of child.stdout) {
      said += String(chunk);
      if (said.length > 400) child.kill('SIGKILL');
    }
    const last = Number(said.slice(0, said.lastIndexOf('\n')).split('\n').at(-1));
    expect(last).toBeGreaterThan(50);
    const { polls, seq } = rows(path, 'SELECT count(*) AS polls, max(seq) AS seq FROM poll')[0] ?? {};
    expect([Number(polls) >= last, polls === seq]).toEqual([true, true]);
    expect(standingByEvents(path).size).toBe(50);
  });
});
