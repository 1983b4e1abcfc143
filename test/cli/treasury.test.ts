import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { SystemClock } from '../../src/app/system-clock.ts';
import { acquireLock } from '../../src/ledger/lock.ts';
import { dollars } from '../support/values.ts';
import { PATIENCE_MS } from '../app/stage.ts';
import { magpie, place, Signals } from './harness.ts';
import { SHOP, STORE, TOP, treasuryScene as scene } from './treasury-scene.ts';

describe('magpie treasury', () => {
  it('moves what a dry run says, once, and tells of it as a table, as JSON and as CSV', async () => {
    const { sandbox, run } = await scene();
    const dry = await run('treasury', 'run', '--once', '--dry-run');
    expect([dry.code, sandbox.books().transfers]).toEqual([0, []]);
    expect(dry.out).toContain('shop (has $20.00): dry-run, would move $180.00');
    const real = await run('treasury', 'run', '--once');
    expect([real.code, real.out]).toEqual([0, expect.stringContaining('Moved $180.00 to shop (transfer 1)')]);
    expect(real.out).toContain('store (has $300.00): at its floor or above');
    expect(sandbox.books().transfers).toMatchObject([{ amount: dollars(180) }]);
    const after = await run('treasury', 'status');
    expect(after.out).toMatch(/last round .*, balances as before its transfers/);
    expect(after.out).toMatch(/shop +\$20\.00 .*below its floor: a transfer of \$180\.00/);
    expect((await run('treasury', 'run', '--once')).code).toBe(0);
    expect(sandbox.books().transfers.length).toBe(1);

    const status = await run('treasury', 'status', '--json');
    expect(JSON.parse(status.out)).toMatchObject({
      mode: 'live',
      halted: false,
      balance: 820,
      moved: { hour: 180, day: 180 },
      open: [],
      children: [
        { name: 'shop', balance: 200, reason: 'enough', movedInDay: 180 },
        { name: 'store', balance: 300 },
      ],
    });
    const later = await run('treasury', 'status');
    expect(later.out).not.toContain('as before its transfers');
    expect(later.out).toMatch(/shop +\$200\.00 +\$50\.00 +\$200\.00 +\$180\.00/);
    const csv = (await run('treasury', 'transfers', '--csv')).out.split('\r\n');
    expect([csv.length, csv[1]]).toEqual([3, expect.stringMatching(/^1,\d{4}-.*,shop,180,made,1,/)]);
    for (const text of [dry, real, status])
      for (const secret of [TOP, SHOP, STORE]) expect(text.out + text.err).not.toContain(secret);
  });

  it('sends nothing while halted, and goes on once a person resumes', async () => {
    const { sandbox, run } = await scene();
    expect((await run('treasury', 'halt', '--reason', 'balances look odd')).code).toBe(0);
    const halted = await run('treasury', 'run', '--once');
    expect([halted.code, sandbox.books().transfers]).toEqual([1, []]);
    expect((await run('treasury', 'status')).out).toContain('Halted by a person');
    expect((await run('treasury', 'resume')).out).toMatch(/It had been halted for:\n {2}balances look odd \(by a person, /);
    expect((await run('treasury', 'resume')).out).toContain('was not halted');
    expect((await run('treasury', 'run', '--once')).code).toBe(0);
    expect(sandbox.books().transfers.length).toBe(1);
  });

  it('shows every halt that stands, and what it resumes: one of a person hides none that the treasury has tripped by itself', async () => {
    const { run, journal } = await scene();
    await run('treasury', 'halt', '--reason', 'moving house');
    journal().halt('a balance is negative', 'treasury', Date.now());
    for (const shown of [(await run('treasury', 'status')).out, (await run('treasury', 'resume')).out]) {
      expect(shown).toContain('moving house');
      expect(shown).toContain('a balance is negative');
    }
    expect(journal().halts()).toEqual([]);
  });

  it('tells the channels of its configuration what a person should know, each once, across starts', async () => {
    const told = join(place({}), 'told.jsonl');
    const notify = `notify: { command: { run: [/bin/sh, -c, "cat >> ${told}; echo >> ${told}"] } }\n`;
    const { run, journal } = await scene((yaml) => notify + yaml.replace('reserve: 100', 'reserve: 1000'));
    const letters = (): { from: string; alerts: { kind: string; message: string; next: string }[] }[] =>
      readFileSync(told, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as never);
    await run('treasury', 'run', '--once');
    const message =
      'shop has $20.00, less than its floor of $50.00, gets nothing: the top-level account has nothing to spare above its reserve';
    expect(letters()).toMatchObject([{ from: 'Magpie treasury', alerts: [{ kind: 'treasury', message }] }]);
    await run('treasury', 'run', '--once');
    expect(letters()).toHaveLength(1);
    journal().halt('a balance is negative', 'treasury', Date.now());
    await run('treasury', 'run', '--once', '--dry-run');
    expect(letters().slice(1)).toMatchObject([
      { from: 'Magpie treasury (dry-run)', alerts: [{ message: 'the treasury has halted itself: a balance is negative' }] },
    ]);
  });

  it('tells each once however long it stands, and by rounds that are processes of their own what has stood for ten minutes', async () => {
    const told = join(place({}), 'told.jsonl');
    writeFileSync(told, '');
    const notify = `notify: { command: { run: [/bin/sh, -c, "cat >> ${told}; echo >> ${told}"] } }\n`;
    const { run, journal } = await scene((yaml) => notify + yaml.replace(SHOP, 'play-key-that-nobody-knows'));
    const letters = async (): Promise<number> => {
      await run('treasury', 'run', '--once');
      return (readFileSync(told, 'utf8').match(/its balance is not known/g) ?? []).length;
    };
    /** What the journal dates so long ago. */
    const ages = (fact: string, minutes: number): void => {
      const book = journal();
      const text = book.fact(fact) ?? '';
      book.learn(
        fact,
        text.replace(/\d{13}[.\d]*/g, (at) => String(Number(at) - minutes * 60_000)),
      );
    };
    expect(await letters()).toBe(0);
    ages('standing', 9);
    expect(await letters()).toBe(0);
    ages('standing', 2);
    expect(await letters()).toBeGreaterThan(0);
    const first = await letters();
    ages('told command', 7 * 60);
    expect(await letters()).toBe(first);
  });

  it('tells the channels that it has ended, where nobody has stopped it', async () => {
    const told = join(place({}), 'told.jsonl');
    writeFileSync(told, '');
    const notify = `notify: { command: { run: [/bin/sh, -c, "cat >> ${told}; echo >> ${told}"] } }\n`;
    const { run, journal } = await scene((yaml) => notify + yaml.replace('mode: live', 'mode: live\n  interval: 5s'));
    const running = run('treasury', 'run', '--for', '40s');
    const book = journal();
    await vi.waitFor(() => expect(book.fact('round')).toBeDefined(), PATIENCE_MS);
    expect(readFileSync(told, 'utf8')).toBe('');
    book.learn('account', 'another one');
    expect((await running).code).toBe(2);
    expect(JSON.parse(readFileSync(told, 'utf8'))).toMatchObject({
      alerts: [
        { kind: 'treasury', message: expect.stringMatching(/^the treasury has ended by itself: .*another one/) as string },
      ],
    });
  });

  it('says that a channel takes nothing, and tells it once it does', async () => {
    const told = join(place({}), 'told.jsonl');
    const script = `test -e ${told} && cat >> ${told}`;
    const { run } = await scene(
      (yaml) => `notify: { command: { run: [/bin/sh, -c, "${script}"] } }\n${yaml.replace('reserve: 100', 'reserve: 1000')}`,
    );
    const first = await run('treasury', 'run', '--once');
    expect(first.err).toMatch(/UTC {2}notify\.command takes no alerts, which wait meanwhile: it ended with exit code 1\n/);
    writeFileSync(told, '');
    const second = await run('treasury', 'run', '--once');
    expect([second.err, JSON.parse(readFileSync(told, 'utf8'))]).toMatchObject([
      expect.not.stringContaining('notify.command'),
      { total: 1, counts: { treasury: 1 } },
    ]);
  });

  it('keeps the verdict of a person on what is open, once', async () => {
    const { run, journal } = await scene();
    await run('treasury', 'run', '--once', '--dry-run');
    const policy = {
      ...{ reserve: dollars(0), perTransfer: dollars(200), hour: dollars(600), day: dollars(600), dedicated: false },
      children: [{ name: 'shop', floor: dollars(50), target: dollars(200), perDay: dollars(500) }],
    };
    journal().write(policy, { child: 'shop', amount: dollars(180) }, { email: 'shop@example.com' }, 'k', Date.now());
    expect((await run('treasury', 'status')).out).toContain('Open: transfer 1, $180.00 to shop');
    const settled = await run('treasury', 'settle', '1', '--as', 'not-made', '--reason', 'not in the ledger on the site');
    expect([settled.code, settled.out]).toEqual([0, expect.stringContaining('Transfer 1, $180.00 to shop: not-made')]);
    const again = await run('treasury', 'settle', '1', '--as', 'made', '--reason', 'x');
    expect([again.code, again.err]).toEqual([1, expect.stringContaining('Transfer 1 is not open, but not-made')]);
    expect(journal().transfer(1)).toMatchObject({
      state: 'not-made',
      settledBy: 'person',
      said: 'not in the ledger on the site',
    });
  });

  it('takes no verdict of not made beside a treasury at work that is not halted: it may be asking again just then', async () => {
    const { cwd, run, journal } = await scene();
    await run('treasury', 'run', '--once', '--dry-run');
    const policy = {
      ...{ reserve: dollars(0), perTransfer: dollars(200), hour: dollars(600), day: dollars(600), dedicated: false },
      children: [{ name: 'shop', floor: dollars(50), target: dollars(200), perDay: dollars(500) }],
    };
    journal().write(policy, { child: 'shop', amount: dollars(180) }, { email: 'shop@example.com' }, 'k', Date.now());
    const held = acquireLock(join(cwd, 'data', 'magpie.treasury.lock'), 'the treasury of this data folder');
    onTestFinished(() => void (held.ok && held.lock.release()));
    const settle = () => run('treasury', 'settle', '1', '--as', 'not-made', '--reason', 'not in the ledger on the site');
    const early = await settle();
    expect([early.code, early.err]).toEqual([3, expect.stringContaining('magpie treasury halt')]);
    expect(journal().transfer(1)?.state).toBe('open');
    await run('treasury', 'halt', '--reason', 'to look at transfer 1');
    const hasty = await settle();
    expect([hasty.code, hasty.err]).toEqual([
      3,
      expect.stringMatching(/may still have this very transfer on its way\. → wait \d+ s/),
    ]);
    expect(journal().transfer(1)?.state, 'what was sent before the halt may still be made').toBe('open');
    await run('treasury', 'resume');
    journal().halt('to look at transfer 1', 'person', Date.now() - 120_000);
    expect([(await settle()).code, journal().transfer(1)?.state]).toEqual([0, 'not-made']);
  });

  it('goes on until it is stopped or its time has passed, and is one alone in a data folder', async () => {
    const { cwd, run, sandbox, journal } = await scene();
    const signals = new Signals();
    const running = magpie(['treasury', 'run', '--config', 'treasury.yaml'], { cwd, clock: new SystemClock(), signals });
    await vi.waitFor(() => expect(journal().transfers(0)).toMatchObject([{ state: 'made' }]), {
      timeout: PATIENCE_MS,
      interval: 100,
    });
    signals.send('SIGTERM');
    const first = await running;
    expect([first.code, (await run('treasury', 'run', '--for', '1ms')).code]).toEqual([0, 0]);
    expect(first.out).toMatch(/Stopped: nothing more is sent\n$/);
    expect(sandbox.books().transfers.length).toBe(1);
    const held = acquireLock(join(cwd, 'data', 'magpie.treasury.lock'), 'the treasury of this data folder');
    onTestFinished(() => void (held.ok && held.lock.release()));
    const second = await run('treasury', 'run', '--once');
    expect([second.code, second.err]).toEqual([3, expect.stringContaining('another process is at work with the treasury')]);
    expect(second.err).toContain('→ `magpie treasury status --config treasury.yaml` shows what it does');
  });

  it.each([
    ['there is no treasury', (yaml: string) => yaml.slice(0, yaml.indexOf('treasury:')), 'has no treasury'],
    ['it is the embedded exchange', (yaml: string) => yaml.replace(/\{ baseUrl.*\}/, '{ sandbox: {} }'), 'needs service.baseUrl'],
    ['a cap is missing', (yaml: string) => yaml.replace('childDay: 500, ', ''), 'treasury.limits.childDay'],
    ['a target is below its floor', (yaml: string) => yaml.replace('target: 200', 'target: 20'), 'below the floor of 50'],
    ['a key stands at two children', (yaml: string) => yaml.replace(STORE, SHOP), 'is that of shop as well'],
    [
      'a child has neither address nor id',
      (yaml: string) => yaml.replace('email: store@example.com, ', ''),
      'exactly one of email and keyId',
    ],
    ['a child has no key', (yaml: string) => yaml.replace(`, key: ${STORE}`, ''), 'only its own key shows the balance'],
    ['the top-level key is missing', (yaml: string) => yaml.replace(`  key: ${TOP}\n`, ''), 'no top-level key'],
  ])('sends nothing where %s', async (_, change, words) => {
    const { sandbox, run } = await scene(change);
    const { code, err } = await run('treasury', 'run', '--once');
    expect([code, sandbox.books().transfers]).toEqual([2, []]);
    expect(err).toContain(words);
  });

  it('warns of keys that others may read, and shows none of them', async () => {
    const { cwd, run } = await scene();
    chmodSync(join(cwd, 'treasury.yaml'), 0o644);
    const { out, err } = await run('check');
    const told = out + err;
    for (const path of ['treasury.key', 'treasury.children[0].key', 'treasury.children[1].key']) expect(told).toContain(path);
    for (const secret of [TOP, SHOP, STORE]) expect(told).not.toContain(secret);
  });

  it('uses nobody else’s journal', async () => {
    const { run, journal, sandbox } = await scene();
    await run('treasury', 'run', '--once', '--dry-run');
    journal().learn('account', 'another');
    const { code, err } = await run('treasury', 'run', '--once');
    expect([code, err, sandbox.books().transfers]).toEqual([
      2,
      expect.stringContaining('the journal is that of the top-level account another'),
      [],
    ]);
  });
});

describe('magpie partner stats by merchant', () => {
  it('sums what each has spent and got back, with its own key, and says whom it could not read', async () => {
    const { run, cwd, sandbox } = await scene();
    const feed = await fetch(`${sandbox.baseUrl}/v2/partner/live/listings`, { headers: { 'x-api-key': STORE } });
    const { data } = (await feed.json()) as {
      data: { listings: { id: string; market: string; price: number; priceWithFee: number }[] };
    };
    const cheapest = data.listings.toSorted((a, b) => a.price - b.price)[0];
    const body = { itemId: cheapest?.id, price: cheapest?.price, market: cheapest?.market, tradeUrl: sandbox.tradeUrl };
    await fetch(`${sandbox.baseUrl}/v2/market/buy`, {
      method: 'POST',
      headers: { 'x-api-key': STORE, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const told = await run('partner', 'stats', '--by-merchant', '--json');
    const spent = cheapest?.priceWithFee;
    expect([told.code, JSON.parse(told.out)]).toMatchObject([
      0,
      {
        merchants: [
          { merchant: 'shop', purchases: 0, spent: 0, refunds: 0, net: 0, balance: 20, fault: null },
          { merchant: 'store', purchases: 1, spent, refunded: 0, net: spent },
        ],
      },
    ]);
    const csv = await run('partner', 'stats', '--by-merchant', '--csv');
    expect(csv.out.split('\r\n').slice(0, 2)).toEqual([
      'merchant,purchases,spent,refunds,refunded,net,balance',
      'shop,0,0,0,0,0,20',
    ]);
    writeFileSync(
      join(cwd, 'treasury.yaml'),
      `service: { baseUrl: "${sandbox.baseUrl}" }\ntreasury: { key: ${TOP}, children: [{ name: x, email: x@y.zz, key: no-key-of-anybody }] }\n`,
    );
    const none = await run('partner', 'stats', '--by-merchant');
    expect([none.code, none.err]).toEqual([1, expect.stringContaining('x could not be read')]);
    expect(none.out + none.err).not.toContain('no-key-of-anybody');
  });
});
