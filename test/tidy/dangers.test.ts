import { describe, expect, it } from 'vitest';
import { moneyLeavesByOneDoor, noTextBecomesCode, patternsAreLinear, statementsAreWrittenDown } from './dangers.ts';
import { isLinear } from './patterns.ts';
import { broken, file } from './planted.ts';

describe('dangers: a broken rule is found', () => {
  it('when a text becomes code or another program is run [S28]', () => {
    const lines = [
      "import { runInNewContext } from 'node:vm';",
      "import { exec } from 'node:child_process';",
      "eval('1 + 1');",
      "const made = new Function('return 1');",
      'const other = globalThis.eval;',
      'type Callback = Function;',
      'settings.eval = true;',
    ];
    expect(broken(noTextBecomesCode, file('src/app/a.ts', ...lines))).toMatchInlineSnapshot(`
      [
        "src/app/a.ts:1 imports node:vm, which runs code from elsewhere: say it as data",
        "src/app/a.ts:2 imports node:child_process, which runs code from elsewhere: say it as data",
        "src/app/a.ts:3 uses eval, which makes code from text: say it as data",
        "src/app/a.ts:4 uses Function, which makes code from text: say it as data",
        "src/app/a.ts:5 uses eval, which makes code from text: say it as data",
      ]
    `);
    const spawning = "import { spawn } from 'node:child_process';";
    expect(broken(noTextBecomesCode, file('src/notify/command.ts', spawning))).toEqual([]);
    expect(broken(noTextBecomesCode, file('src/notify/post.ts', spawning))).toHaveLength(1);
  });

  it('when a statement is put together from what comes from outside [S20]', () => {
    const lines = [
      "const COLUMNS = 'a, b';",
      'const all = `SELECT ${COLUMNS} FROM rows`;',
      'db.prepare(all);',
      'db.prepare(`SELECT ${name} FROM rows`);',
      "this.#db.exec('DELETE FROM ' + table);",
      'store.reading<[string], Row>(`${all} WHERE id = ?`);',
      'relaxed.writing(sql);',
      'pattern.exec(text);',
    ];
    expect(broken(statementsAreWrittenDown, file('src/ledger/a.ts', ...lines))).toMatchInlineSnapshot(`
      [
        "src/ledger/a.ts:4 asks the database with name inside the statement: give it as a value (?)",
        "src/ledger/a.ts:5 asks the database with table inside the statement: give it as a value (?)",
        "src/ledger/a.ts:7 asks the database with sql inside the statement: give it as a value (?)",
      ]
    `);
  });

  it('when a second door lets money out [S31]', () => {
    const lines = ["import { createVenue } from '../gateway/venue.ts';", 'const path = targetOf(base, endpoints.buy);'];
    expect(broken(moneyLeavesByOneDoor, file('src/execution/a.ts', ...lines), file('src/gateway/venue.ts', ...lines)))
      .toMatchInlineSnapshot(`
      [
        "src/execution/a.ts:1 uses createVenue: buying has one door, which stands open in live mode only (src/app/daemon.ts)",
        "src/execution/a.ts:1 uses createVenue: buying has one door, which stands open in live mode only (src/app/daemon.ts)",
        "src/execution/a.ts:2 uses endpoints.buy: buying has one door, which stands open in live mode only (src/app/daemon.ts)",
      ]
    `);
    const hand = ['const hand = createHand(options);'];
    expect(broken(moneyLeavesByOneDoor, file('src/app/daemon.ts', ...hand), file('src/cli/service.ts', ...hand))).toHaveLength(1);
    const others = ['const out = [endpoints.withdraw, endpoints.transfer, endpoints.legacyBuy];', 'const row = marketRows.buy;'];
    expect(broken(moneyLeavesByOneDoor, file('src/gateway/venue.ts', ...others)).map((line) => line.split(':')[1])).toEqual([
      '1 uses endpoints.withdraw',
      '1 uses endpoints.transfer',
      '1 uses endpoints.legacyBuy',
      '2 uses marketRows',
    ]);
  });

  it('when a pattern repeats what repeats [S23]', () => {
    const lines = ['const slow = /^(?:a+)+$/;', 'const quick = /^(?:a+|b)c*$/u;'];
    expect(broken(patternsAreLinear, file('src/domain/a.ts', ...lines))).toMatchInlineSnapshot(`
      [
        "src/domain/a.ts:1 repeats what repeats: bound one of the two, or a made-up text takes for ever",
      ]
    `);
  });
});

describe('a pattern', () => {
  it.each(['(a*)*', '(a|b*)+', '((?:x{2,})y)*', '(?<n>[*+]+)+', '(?:\\(+\\))*', '(a{1,5000})*', '((a+)?b)*'])(
    '%s takes too long',
    (pattern) => {
      expect(isLinear(pattern)).toBe(false);
    },
  );

  it.each(['a*b*c+', '(a|b)*', '[a+*]+', '\\++', '(?:a{0,20}b)*', '(a+)(b+)', '(?:a+)?', '(?:a+){0,3}', '\\p{L}+', '(a*)\\)*'])(
    '%s does not',
    (pattern) => {
      expect(isLinear(pattern)).toBe(true);
    },
  );
});
