import { describe, expect, it } from 'vitest';
import { admissionAloneApproves, promisesAreMadeInOnePlace } from './brands.ts';
import { broken, file } from './planted.ts';

describe('what only one place may make: a broken rule is found', () => {
  it('when money is cast instead of made, or approval given by another [B4]', () => {
    const rule = promisesAreMadeInOnePlace;
    const lines = [
      'const price = row.price as Micros;',
      'const sure = intent as unknown as Approved<Intent>;',
      'const text = row.name as string;',
    ];
    expect(broken(rule, file('src/ledger/a.ts', ...lines), file('src/domain/money.ts', 'const CENT = 1 as Micros;')))
      .toMatchInlineSnapshot(`
      [
        "src/ledger/a.ts:1 says "as Micros": make it with a function of src/domain/money.ts, which checks that it is exact",
        "src/ledger/a.ts:2 says "as Approved": ask admit (src/risk/admit.ts), which alone approves",
      ]
    `);
    const line = "import { approve } from '../risk/intent.ts';";
    expect(broken(admissionAloneApproves, file('src/app/a.ts', line), file('src/risk/admit.ts', line))).toMatchInlineSnapshot(`
      [
        "src/app/a.ts:1 imports approve: ask admit (src/risk/admit.ts), which alone approves",
      ]
    `);
  });
});
