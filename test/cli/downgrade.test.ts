import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { newestVersion } from '../../src/ledger/migrate.ts';
import { ledgerAt, magpie, place } from './harness.ts';

/** A folder in which a Magpie that is two versions newer was at work. */
function newer(): string {
  const cwd = place();
  ledgerAt(cwd).close();
  const db = new Database(join(cwd, 'data', 'magpie.db'));
  db.pragma(`user_version = ${newestVersion() + 2}`);
  db.prepare("INSERT INTO meta (key, value) VALUES ('heartbeat', ?)").run(JSON.stringify({ version: '9.1.0' }));
  db.close();
  return cwd;
}

const commands = [
  ['run', '--once'],
  ['status'],
  ['purchases'],
  ['halt', '--reason', 'x'],
  ['resume'],
  ['backup'],
  ['reconcile'],
  ['audit'],
];

describe('a ledger of a newer Magpie', () => {
  it.each(commands)('is refused by `%s` with exit code 2, both versions and what to do, and left as it is', async (...args) => {
    const cwd = newer();
    const { code, out, err } = await magpie([...args, '--config', 'magpie.yaml'], { cwd });
    expect(code).toBe(2);
    const versions = `it is of version ${newestVersion() + 2}, written by Magpie 9.1.0; this Magpie reads up to version ${newestVersion()}. Nothing was changed.`;
    expect(out + err).toContain(versions);
    expect(out + err).toContain('→ install that Magpie again (or a newer one)');
    expect(out + err).toContain(
      '→ to stay with this one: `magpie restore --config magpie.yaml FILE` with the backup from before the upgrade',
    );
    const db = new Database(join(cwd, 'data', 'magpie.db'), { readonly: true });
    expect(db.pragma('user_version', { simple: true })).toBe(newestVersion() + 2);
    db.close();
  });
});
