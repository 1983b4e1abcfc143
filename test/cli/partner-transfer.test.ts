import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { centsGiven, centsText } from '../../src/cli/dollars.ts';
import { type HostileServer, type Manners, answering } from '../gateway/hostile-server.ts';
import { magpie, onPlayMoney, place, type Ran } from './harness.ts';
import { PARTNER, real } from './partner-place.ts';

const moved = (amountCents: number): Manners =>
  answering(200, {
    requestId: 'r-1',
    success: true,
    data: { partnerApiKeyId: 'p', userApiKeyId: 'c', amountCents, message: 'moved' },
  });

const lost: Manners = { answer: (socket) => void socket.destroy() };

const transfer = (cwd: string, args: readonly string[], answers?: readonly string[]): Promise<Ran> =>
  magpie(['partner', 'transfer', ...args, '--config', 'magpie.yaml'], { cwd, ...(answers && { answers }) });

const usual = ['--to', 'merchant@example.com', '--amount', '250', '--purpose', 'funding-1'] as const;

const bodies = ({ requests }: HostileServer): Record<string, unknown>[] =>
  requests.map(({ body }) => JSON.parse(body) as Record<string, unknown>);

describe('magpie partner transfer', () => {
  it('shows what it would move, asks, and says what it did', async () => {
    const { server, cwd } = await real(moved(25_000));
    const no = await transfer(cwd, usual, ['no']);
    expect([no.code, server.requests.length]).toEqual([1, 0]);
    expect(no.out).toContain('This moves REAL MONEY:\n  $250.00 to merchant@example.com, for "funding-1"');
    const yes = await transfer(cwd, usual, ['yes']);
    expect([yes.code, yes.out]).toEqual([0, expect.stringContaining('Moved: $250.00 to merchant@example.com (requestId r-1).')]);
    expect(server.requests).toMatchObject([{ path: '/v1/partner/transfers', headers: { 'x-api-key': PARTNER } }]);
    expect(bodies(server)).toMatchObject([{ toEmail: 'merchant@example.com', amountCents: 25_000 }]);
  });

  it('says beforehand that a dedicated treasury will take it for somebody else’s doing', async () => {
    const child = '{ name: shop, email: merchant@example.com, key: live-key-of-a-child-0123456789abcd }';
    const treasuryOf = (dedicated: boolean): string =>
      `treasury: { mode: dry-run, target: 1, dedicated: ${dedicated}, children: [${child}] }\n`;
    const { cwd } = await real(moved(25_000), treasuryOf(true));
    const said = await transfer(cwd, [...usual, '--yes']);
    expect([said.code, said.err]).toEqual([0, expect.stringContaining('→ `magpie treasury resume')]);
    const { cwd: other } = await real(moved(25_000), treasuryOf(false));
    expect((await transfer(other, [...usual, '--yes'])).err).not.toContain('treasury');
  });

  it('needs --yes where nobody can be asked', async () => {
    const { server, cwd } = await real(moved(25_000));
    const { code, err } = await transfer(cwd, usual);
    expect([code, server.requests.length]).toEqual([2, 0]);
    expect(err).toContain('--yes sends it without asking');
  });

  it('sends the same key after an unknown outcome, and nothing once it is known to be made', async () => {
    const { server, cwd } = await real(lost);
    const first = await transfer(cwd, [...usual, '--yes']);
    expect([first.code, first.err]).toEqual([1, expect.stringContaining('the same command again asks with the same key')]);
    server.behave(moved(25_000));
    expect((await transfer(cwd, [...usual, '--yes'])).code).toBe(0);
    const [one, two, ...rest] = bodies(server);
    expect([one?.['idempotencyKey'], rest]).toEqual([two?.['idempotencyKey'], []]);
    const third = await transfer(cwd, [...usual, '--yes', '--json']);
    expect([third.code, JSON.parse(third.out)]).toMatchObject([
      0,
      { ok: true, sent: false, amountCents: 25_000, requestId: 'r-1' },
    ]);
    expect(server.requests.length).toBe(2);
  });

  it('has the key on disk before the request leaves', async () => {
    const seen: string[] = [];
    const place = { folder: '' };
    const { cwd } = await real({
      answer: (socket, request) => {
        for (const name of readdirSync(place.folder)) seen.push(readFileSync(join(place.folder, name), 'utf8'));
        seen.push(request.body);
        socket.destroy();
      },
    });
    place.folder = join(cwd, 'data/magpie.transfers');
    await transfer(cwd, [...usual, '--yes']);
    const [kept = '{}', sent = '{}'] = seen;
    const { idempotencyKey } = JSON.parse(sent) as { idempotencyKey: string };
    expect(JSON.parse(kept)).toMatchObject({ kept: { purpose: 'funding-1', idempotencyKey, amountCents: 25_000 } });
  });

  it.each([
    ['another amount', ['--to', 'merchant@example.com', '--amount', '251', '--purpose', 'funding-1']],
    ['another merchant', ['--to', 'other@example.com', '--amount', '250', '--purpose', 'funding-1']],
  ])('refuses %s for the same purpose', async (_, args) => {
    const { server, cwd } = await real(lost);
    await transfer(cwd, [...usual, '--yes']);
    const { code, err } = await transfer(cwd, [...args, '--yes']);
    expect([code, server.requests.length]).toEqual([2, 1]);
    expect(err).toContain('another transfer needs another purpose');
  });

  it('frees the purpose of what was clearly refused', async () => {
    const { server, cwd } = await real(answering(400, { success: false, code: 'INSUFFICIENT_BALANCE', message: 'too little' }));
    const refused = await transfer(cwd, [...usual, '--yes']);
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('The service did not do it')]);
    server.behave(moved(10_000));
    const smaller = await transfer(cwd, ['--to', 'merchant@example.com', '--amount', '100', '--purpose', 'funding-1', '--yes']);
    expect(smaller.code).toBe(0);
  });

  it('says so where the service has moved another amount by that key', async () => {
    const { cwd } = await real(moved(99));
    const { code, err } = await transfer(cwd, [...usual, '--yes']);
    expect([code, err]).toEqual([1, expect.stringContaining('amountCents is 99, and 25000 was asked for')]);
  });

  it.each([
    ['neither an address nor a key', ['--amount', '1', '--purpose', 'p'], 'exactly one of --to and --to-key'],
    [
      'both an address and a key',
      ['--to', 'a@b.cd', '--to-key', '0123456789abcdef01234567', '--amount', '1', '--purpose', 'p'],
      'exactly one of --to and --to-key',
    ],
    ['no purpose', ['--to', 'a@b.cd', '--amount', '1'], 'exactly one of --purpose and --idempotency-key'],
    [
      'a purpose and a key',
      ['--to', 'a@b.cd', '--amount', '1', '--purpose', 'p', '--idempotency-key', 'k'],
      'exactly one of --purpose and --idempotency-key',
    ],
    [
      'an address that is none',
      ['--to', 'merchant', '--amount', '1', '--purpose', 'p'],
      'body.toEmail: must be an e-mail address',
    ],
    [
      'a key id that is none',
      ['--to-key', '12', '--amount', '1', '--purpose', 'p'],
      'body.toApiKeyId: must be 24 hex characters',
    ],
    ['a key that is too long', ['--to', 'a@b.cd', '--amount', '1', '--idempotency-key', 'k'.repeat(129)], 'body.idempotencyKey'],
    ['no amount', ['--to', 'a@b.cd', '--purpose', 'p'], '--amount'],
    ['an amount of nothing', ['--to', 'a@b.cd', '--amount', '0.00', '--purpose', 'p'], 'Dollars from 0.01'],
    ['a third of a cent', ['--to', 'a@b.cd', '--amount', '0.003', '--purpose', 'p'], 'Dollars from 0.01'],
  ])('sends nothing for %s', async (_, args, words) => {
    const { server, cwd } = await real(moved(1));
    const { code, err } = await transfer(cwd, [...args, '--yes']);
    expect([code, server.requests.length, existsSync(join(cwd, 'data'))]).toEqual([2, 0, false]);
    expect(err).toContain(words);
  });

  it('moves play money from the embedded top-level account to a child that was just made', async () => {
    const cwd = place({ 'magpie.yaml': onPlayMoney });
    await magpie(['partner', 'users', 'merchant@example.com', '--config', 'magpie.yaml'], { cwd });
    const { code, out } = await transfer(cwd, [...usual, '--yes']);
    expect([code, out]).toEqual([0, expect.stringContaining('Moved: $250.00 to merchant@example.com')]);
  });
});

describe('dollars that a person gives', () => {
  it('become whole cents by their text, and are told with two decimals', () => {
    expect(['1.1', '0.29', '1234.5', '19.90', '$7'].map(centsGiven)).toEqual([110, 29, 123_450, 1_990, 700]);
    expect([5, 1_990, 123_456_789].map(centsText)).toEqual(['$0.05', '$19.90', '$1,234,567.89']);
    for (const text of ['', '-1', '1e3', '1,000', '0', '99999999']) expect(() => centsGiven(text)).toThrow('Dollars from 0.01');
  });
});

describe('magpie partner users without an address', () => {
  it('lists what was made or asked after here, suspended and deleted among them, and sends nothing', async () => {
    const told = (email: string, status: string, more: object = {}): Manners =>
      answering(200, {
        requestId: 'r',
        success: true,
        data: { apiKeyId: `id-${status}`, email, name: 'M', linkedUserId: null, status, message: '', ...more },
      });
    const { server, cwd } = await real(told('a@x.yy', 'active', { apiKey: 'live-key-of-a-child-0011223344556' }));
    const users = (...args: string[]): Promise<Ran> => magpie(['partner', 'users', ...args, '--config', 'magpie.yaml'], { cwd });
    const none = (await users()).out;
    expect(none).toContain('No child key was made or asked after');
    expect(none).not.toContain('As the service last told');
    await users('a@x.yy');
    server.behave(told('b@x.yy', 'suspended'));
    await users('b@x.yy');
    server.behave(told('a@x.yy', 'deleted'));
    const again = await users('a@x.yy');
    expect(again.out).toContain(`it was written to ${join(cwd, 'keys/a@x.yy.env')}`);
    const listed = await users('--json');
    expect([listed.code, server.requests.length, JSON.parse(listed.out)]).toMatchObject([
      0,
      3,
      {
        children: [
          { email: 'a@x.yy', status: 'deleted', keyFile: join(cwd, 'keys/a@x.yy.env') },
          { email: 'b@x.yy', status: 'suspended', keyFile: null },
        ],
      },
    ]);
    expect((await users()).out).toMatch(/a@x\.yy .*deleted[^]*b@x\.yy .*suspended/);
    expect((await users('--csv')).out).toMatch(/b@x\.yy,id-suspended,M,suspended,\d{4}-\d\d-\d\dT[\d:.]+Z,/);
    expect((await users('--name', 'x')).code).toBe(2);
  });
});
