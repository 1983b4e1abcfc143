import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { acquireFolderLock } from '../../src/ledger/lock.ts';
import { openReader } from '../../src/ledger/open.ts';
import { begun, opened, outcomes, settled } from '../ledger/support.ts';
import { NOON } from '../support/values.ts';
import { type Ran, ledgerAt, magpie, onPlayMoney, place } from './harness.ts';

const withConfig = ['--config', 'magpie.yaml'] as const;

function reasonsOf(folder: string): readonly string[] {
  const reader = openReader(folder);
  if (!reader.ok) throw new Error(reader.fault.message);
  const reasons = reader.value.standingHalts().map(({ reason, by }) => `${by}: ${reason}`);
  reader.value.close();
  return reasons;
}

async function whileHeld(folder: string, work: () => Promise<Ran>): Promise<Ran> {
  const held = acquireFolderLock(folder);
  if (!held.ok) throw new Error(held.fault.message);
  try {
    return await work();
  } finally {
    held.lock.release();
  }
}

describe('halt', () => {
  it('holds where nothing has run yet, and says what it acts on', async () => {
    const cwd = place();
    const { code, out, err } = await magpie(['halt', ...withConfig, '--reason', 'looking  into\nit'], { cwd });
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatchInlineSnapshot(`
      "Halted: looking into it
      Configuration magpie.yaml, data folder data
      No daemon is at work with that folder; the next one starts halted.
      → \`magpie resume --config magpie.yaml\` allows buying again
      "
    `);
    expect(reasonsOf(join(cwd, 'data'))).toEqual(['person: looking into it']);
  });

  it('reaches a daemon that holds the folder', async () => {
    const cwd = place();
    ledgerAt(cwd);
    const ran = await whileHeld(join(cwd, 'data'), () => magpie(['halt', ...withConfig, '--reason', 'stop'], { cwd }));
    expect(ran.code).toBe(0);
    expect(ran.out).toContain('The daemon buys nothing from now on');
    expect(reasonsOf(join(cwd, 'data'))).toEqual(['person: stop']);
  });

  it('without --config halts the default folder all the same, says so, and exits 1 where no daemon holds it', async () => {
    const cwd = place();
    const alone = await magpie(['halt', '--reason', 'stop'], { cwd });
    expect(alone.code).toBe(1);
    expect(alone.err).toMatchInlineSnapshot(`
      "No --config was given: if another configuration is running, it still buys.
      → magpie halt --config FILE --reason TEXT
      "
    `);
    expect(reasonsOf(join(cwd, 'data', 'sandbox'))).toEqual(['person: stop']);
    const held = await whileHeld(join(cwd, 'data', 'sandbox'), () => magpie(['halt', '--reason', 'stop'], { cwd }));
    expect({ code: held.code, err: held.err }).toEqual({ code: 0, err: '' });
  });

  it('works where the configuration is faulty or a key is not in this shell, and exits 2', async () => {
    const faulty = onPlayMoney.replace('limits:', 'limitz:').replace('seed: 7', 'seed: "${NOT_SET}"');
    const cwd = place({ 'magpie.yaml': `${faulty}data: ./elsewhere\n` });
    const { code, out, err } = await magpie(['halt', ...withConfig, '--reason', 'now'], { cwd });
    expect(code).toBe(2);
    expect(out).toContain('data folder elsewhere');
    expect(err).toContain('Halted in spite of the faults above');
    expect(reasonsOf(join(cwd, 'elsewhere'))).toEqual(['person: now']);
  });

  it('says loudly that nothing was halted where nobody can tell the folder', async () => {
    const cwd = place({ 'magpie.yaml': 'service: [\n' });
    const { code, err } = await magpie(['halt', ...withConfig, '--reason', 'now'], { cwd });
    expect(code).toBe(2);
    expect(err).toContain('NOTHING WAS HALTED');
    const told = await magpie(['halt', ...withConfig, '--data', 'told', '--reason', 'now'], { cwd });
    expect(told.code).toBe(2);
    expect(reasonsOf(join(cwd, 'told'))).toEqual(['person: now']);
  });

  it('wants a reason', async () => {
    const cwd = place();
    for (const reason of ['', '  \n ']) expect((await magpie(['halt', '--reason', reason], { cwd })).code).toBe(2);
  });
});

describe('resume', () => {
  it('ends every halt and shows what they were', async () => {
    const cwd = place();
    const ledger = ledgerAt(cwd);
    ledger.halt('too many \u001brefusals', 'refusals-in-row', NOON);
    ledger.halt('me too', 'person', NOON + 1);
    const { code, out } = await magpie(['resume', ...withConfig], { cwd });
    expect(code).toBe(0);
    expect(out).toMatchInlineSnapshot(`
      "Resumed. It had been halted for:
        too many \\u001brefusals (refusals-in-row, 2026-01-05 12:00:00 UTC)
        me too (by a person, 2026-01-05 12:00:00 UTC)
      Configuration magpie.yaml, data folder data
      No daemon is at work with that folder. → \`magpie run --config magpie.yaml\`
      "
    `);
    expect(ledger.halted()).toBeUndefined();
    expect((await magpie(['resume', ...withConfig], { cwd })).out).toContain('Buying was not halted; nothing has changed.');
  });

  it('makes no ledger where there is none', async () => {
    const { code, err } = await magpie(['resume', ...withConfig], { cwd: place() });
    expect(code).toBe(1);
    expect(err).toContain('There is no ledger in');
  });
});

describe('resolve', () => {
  it('keeps a verdict on an unknown purchase with its reason', async () => {
    const cwd = place();
    const ledger = ledgerAt(cwd);
    settled(ledger, begun(ledger, 1), outcomes.unknown());
    settled(ledger, begun(ledger, 2), outcomes.unknown());
    const not = await magpie(['resolve', '1', '--as', 'not-bought', '--reason', 'not on the site', ...withConfig], { cwd });
    expect(not.code).toBe(0);
    expect(not.out).toMatchInlineSnapshot(`
      "#1 AK-47 | Redline (Field-Tested) on c5game, $10.50: rejected
      Configuration magpie.yaml, data folder data
      Its money is free again, and its listing stays closed. Should an order of it be seen later, it becomes bought after all.
      "
    `);
    const was = await magpie(['resolve', '#2', '--as', 'bought', '--reason', 'order 12', ...withConfig], { cwd });
    expect(was.code).toBe(0);
    expect(ledger.purchase(1)).toMatchObject({ state: 'rejected', reason: 'a person says it was not bought: not on the site' });
    expect(ledger.purchase(2)).toMatchObject({ state: 'bought', reason: 'a person says it was bought: order 12' });
  });

  it('refuses one that is not unknown, or not there, and changes nothing', async () => {
    const cwd = place();
    const ledger = ledgerAt(cwd);
    settled(ledger, begun(ledger, 1), outcomes.bought('order-1'));
    const verdict = ['--as', 'bought', '--reason', 'x', ...withConfig];
    const known = await magpie(['resolve', '1', ...verdict], { cwd });
    expect(known.code).toBe(1);
    expect(known.err).toContain(
      '#1 AK-47 | Redline (Field-Tested) on c5game, $10.50: bought. Only one in doubt (unknown, or a refusal whose money is still reserved) can be resolved; nothing was changed.',
    );
    expect((await magpie(['resolve', '77', ...verdict], { cwd })).code).toBe(1);
    expect((await magpie(['resolve', 'x', ...verdict], { cwd })).code).toBe(2);
    expect((await magpie(['resolve', '1', '--as', 'sold', '--reason', 'x'], { cwd })).code).toBe(2);
    expect(ledger.evidenceOf(1).map(({ kind }) => kind)).not.toContain('verdict');
  });
});

describe('a data folder that cannot be used', () => {
  it('ends a command with words and exit 1, never with a stack', async () => {
    const cwd = place({
      'data/magpie.db': 'this is no database at all, but long enough to be read as the head of one: '.repeat(20),
    });
    for (const args of [['status'], ['purchases', '--json'], ['resume'], ['why', '1']]) {
      const { code, out, err } = await magpie([...args, ...withConfig], { cwd });
      expect({ args, code, out: args.includes('--json') ? '' : out }).toEqual({ args, code: 1, out: '' });
      expect(err).toContain('magpie.db');
      expect(err).not.toMatch(/^\s+at /m);
    }
    expect(readFileSync(join(cwd, 'data/magpie.db'), 'utf8')).toContain('this is no database');
  });

  it('is left as it is by commands that read', async () => {
    const cwd = place();
    const ledger = opened(join(cwd, 'data'));
    const before = ledger.evidenceSeq();
    for (const args of [['status'], ['purchases']]) await magpie([...args, ...withConfig], { cwd });
    expect(ledger.changed()).toBe(false);
    expect(ledger.evidenceSeq()).toBe(before);
  });
});
