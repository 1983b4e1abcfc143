import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { openLedger } from '../../src/ledger/open.ts';
import { damages, killed } from '../ledger/damaged-log.ts';
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

describe.each(damages)('a ledger whose write-ahead log was damaged %s [P19 P20]', (_, damage) => {
  function lost({ anchored }: { readonly anchored: boolean }): string {
    const cwd = place();
    killed({ anchored, damage, target: join(cwd, 'data') });
    return cwd;
  }

  const asks = (cwd: string, ...args: readonly string[]): ReturnType<typeof magpie> =>
    magpie([...args, '--config', 'magpie.yaml'], { cwd });

  function filesOf(cwd: string): string {
    const names = readdirSync(join(cwd, 'data')).filter((name) => /db(?:-wal)?$/.test(name));
    return names.map((name) => `${name} ${readFileSync(join(cwd, 'data', name)).toString('base64')}`).join('\n');
  }

  it.each(['resume', 'resolve 1 --as bought --reason seen', 'backup'])('%s: refused, with what comes first', async (command) => {
    for (const anchored of [true, false]) {
      const cwd = lost({ anchored });
      const before = filesOf(cwd);
      const { code, err } = await asks(cwd, ...command.split(' '));
      expect(err).toContain(`${cwd}/data/magpie.db-wal: it is damaged, and `);
      expect(err).toContain(anchored ? '→ check the disk, then start `magpie run' : '→ stop Magpie, then `magpie restore');
      expect(code).toBe(1);
      expect(filesOf(cwd)).toBe(before);
    }
  });

  it('takes a halt all the same, and the next start halts for what is lost', async () => {
    const cwd = lost({ anchored: true });
    const { code, out } = await asks(cwd, 'halt', '--reason', 'enough');
    expect(out).toContain('the next one starts halted');
    expect(code).toBe(0);
    expect((await asks(cwd, 'status')).out).toContain('enough');
    // Whoever takes it back has not been told yet.
    expect((await asks(cwd, 'resume')).out).toContain('enough');
    const started = openLedger({ folder: join(cwd, 'data') });
    if (!started.ok) throw new Error(started.fault.message);
    started.value.ledger.close();
    expect(started.value.forgot).toBe(true);
  });

  it('takes no halt where the next start is refused, and says that nothing can be bought', async () => {
    const cwd = lost({ anchored: false });
    const before = filesOf(cwd);
    const { code, err } = await asks(cwd, 'halt', '--reason', 'enough');
    expect(err).toContain('NOTHING WAS HALTED: nothing can be bought, since no daemon has this ledger');
    expect(err).toContain('everything that the ledger knows is in it');
    expect(err).toContain('→ stop Magpie, then `magpie restore --config magpie.yaml FILE`');
    expect(code).toBe(1);
    expect(filesOf(cwd)).toBe(before);
    expect(existsSync(join(cwd, 'data', 'magpie.db.forgot'))).toBe(false);
    expect((await asks(cwd, 'run', '--once')).err).toContain('everything that the ledger knows is in it');
  });
});
