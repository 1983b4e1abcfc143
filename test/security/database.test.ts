import { describe, expect, it } from 'vitest';
import { openLedger } from '../../src/ledger/open.ts';
import { freshFolder, freshLedger, raw } from '../ledger/support.ts';

describe('a ledger that somebody else wrote into', () => {
  it('loses what does not belong there, and nothing more, whatever it is called [S20]', () => {
    const folder = freshFolder();
    freshLedger(folder).close();
    const hostile = `rule_x" ; DROP TABLE purchases; DROP TABLE evidence; --`;
    const db = raw(folder);
    const before = db.prepare('SELECT name FROM sqlite_schema ORDER BY name').all();
    db.exec(`CREATE TRIGGER "${hostile.replaceAll('"', '""')}" AFTER INSERT ON purchases BEGIN SELECT 1; END`);
    db.close();
    const opened = openLedger({ folder });
    expect(opened.ok).toBe(true);
    if (opened.ok) opened.value.ledger.close();
    const after = raw(folder);
    expect(after.prepare('SELECT name FROM sqlite_schema ORDER BY name').all()).toEqual(before);
    after.close();
  });

  it('reaches for no file and loads no code: no function of SQL can [S20]', () => {
    const folder = freshFolder();
    freshLedger(folder).close();
    const db = raw(folder);
    for (const call of ["load_extension('x')", "readfile('/etc/passwd')", "writefile('x', 'y')", "edit('x')"]) {
      expect(() => db.prepare(`SELECT ${call}`).get()).toThrow(/no such function|not authorized/);
    }
    db.close();
  });
});
