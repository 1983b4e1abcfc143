import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { begun, outcomes, settled } from '../ledger/support.ts';
import { ledgerAt, magpie, place } from './harness.ts';

/** A ledger with purchases, in which the first page of a table is rubbish. */
function damaged(table: string): string {
  const cwd = place();
  const ledger = ledgerAt(cwd);
  for (const number of [1, 2, 3]) settled(ledger, begun(ledger, number), outcomes.unknown());
  ledger.close();
  const path = join(cwd, 'data', 'magpie.db');
  const db = new Database(path);
  const root = db.prepare('SELECT rootpage FROM sqlite_schema WHERE name = ?').pluck().get(table) as number;
  db.close();
  const bytes = readFileSync(path);
  writeFileSync(path, bytes.fill(0xff, (root - 1) * 4_096, root * 4_096));
  return cwd;
}

/** As `ls` shows a file that was overwritten by something else. */
function overwritten(): string {
  const cwd = damaged('purchases');
  writeFileSync(join(cwd, 'data', 'magpie.db'), 'this is no database, and never was one');
  return cwd;
}

const commands: readonly (readonly string[])[] = [
  ['status'],
  ['status', '--json'],
  ['why', '1'],
  ['purchases'],
  ['purchases', '1'],
  ['reconcile'],
  ['resolve', '1', '--as', 'bought', '--reason', 'seen'],
  ['run', '--once'],
  ['buy', '1', '--market', 'c5game'],
];

describe('a damaged ledger [P19 unattended-6]', () => {
  it.each(commands.map((args) => [args.join(' '), args] as const))(
    '%s: it is told with the place and what to do, exit 1',
    async (_, args) => {
      for (const cwd of [damaged('purchases'), overwritten()]) {
        const { code, err } = await magpie([...args, '--config', 'magpie.yaml'], { cwd });
        expect(err).toContain(`${cwd}/data/magpie.db: it is damaged`);
        expect(err).toContain('→ stop Magpie, then `magpie restore --config magpie.yaml FILE` with the newest backup');
        expect(err).not.toMatch(/defect|\n +at /);
        expect(code).toBe(1);
      }
    },
  );

  it('ends an audit in the same words', async () => {
    const { code, err } = await magpie(['audit', '--config', 'magpie.yaml'], { cwd: overwritten() });
    expect(code).toBe(1);
    expect(err).toContain('it is damaged');
    expect(err).toContain('→ stop Magpie, then `magpie restore --config magpie.yaml FILE`');
  });

  it('cannot take a halt, and the command says what to do instead', async () => {
    const { code, err } = await magpie(['halt', '--reason', 'enough', '--config', 'magpie.yaml'], { cwd: overwritten() });
    expect(code).toBe(1);
    expect(err).toContain('NOTHING WAS HALTED: to stop buying, stop the daemon itself.');
    expect(err).toContain('it is damaged');
  });

  it('shows where it still can: a read that needs no damaged page works', async () => {
    const { code, out } = await magpie(['purchases', '--config', 'magpie.yaml'], { cwd: damaged('alerts') });
    expect(code).toBe(0);
    expect(out).toContain('3 purchases');
  });
});
