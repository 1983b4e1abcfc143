import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { onTestFinished } from 'vitest';
import { Tape, type TapeOptions } from '../../src/replay/tape.ts';
import { TapeReader } from '../../src/replay/tape-reader.ts';
import type { TapeTrouble } from '../../src/replay/trouble.ts';
import { START } from '../support/feed-entries.ts';

/** Where a test's recording may lie: a folder of its own, removed afterwards. */
export function recordingPath(): string {
  const folder = mkdtempSync(join(tmpdir(), 'magpie-tape-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'recording.db');
}

/** A tape with room to spare, and the troubles it told. */
export function tapeAt(path: string, options: Partial<TapeOptions> = {}): { tape: Tape; troubles: TapeTrouble[] } {
  const troubles: TapeTrouble[] = [];
  const tape = new Tape({
    path,
    version: '0.1.0',
    mode: 'dry-run',
    startedAt: START,
    maxBytes: 256 * 1024 * 1024,
    maxAgeMs: 30 * 86_400_000,
    scrub: (text) => text,
    onTrouble: (trouble) => troubles.push(trouble),
    ...options,
  });
  return { tape, troubles };
}

export function reading<T>(path: string, read: (reader: TapeReader) => T): T {
  const reader = new TapeReader(path);
  try {
    return read(reader);
  } finally {
    reader.close();
  }
}

/** Rows of a recording as they lie in the file. */
export function rows(path: string, sql: string): Record<string, unknown>[] {
  const db = new Database(path, { readonly: true });
  try {
    return db.prepare(sql).all() as Record<string, unknown>[];
  } finally {
    db.close();
  }
}

/** Which listings stood at the end by the events alone, as a replay will rebuild it: the newest session's, in order. */
export function standingByEvents(path: string): Map<string, unknown> {
  const standing = new Map<string, unknown>();
  const events = rows(
    path,
    `SELECT kind, market, listing, text.text AS text FROM event LEFT JOIN text ON text.id = event.text
     WHERE session = (SELECT max(session) FROM event) ORDER BY event.id`,
  );
  for (const { kind, market, listing, text } of events) {
    const key = `${String(market)}:${String(listing)}`;
    if (kind === 'gone') standing.delete(key);
    else if (kind !== 'bad') standing.set(key, JSON.parse(String(text)));
  }
  return standing;
}
