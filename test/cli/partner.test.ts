import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Manners, answering } from '../gateway/hostile-server.ts';
import { magpie, onPlayMoney, place, type Ran } from './harness.ts';
import { PARTNER, real } from './partner-place.ts';

const CHILD = 'live-key-of-a-child-0011223344556';

const users = (cwd: string, ...more: string[]): Promise<Ran> =>
  magpie(['partner', 'users', 'merchant@example.com', ...more, '--config', 'magpie.yaml'], { cwd });

const child = (more: object): Manners =>
  answering(200, {
    requestId: 'r-1',
    success: true,
    data: {
      apiKeyId: 'c1',
      email: 'merchant@example.com',
      name: 'M',
      linkedUserId: null,
      status: 'active',
      message: '',
      ...more,
    },
  });

describe('magpie partner users', () => {
  it('keeps a new key in a file for its owner alone, and tells the address that has one apart', async () => {
    const cwd = place({ 'magpie.yaml': onPlayMoney });
    const made = await users(cwd, '--name', 'A merchant');
    const file = join(cwd, 'keys/merchant@example.com.env');
    expect([made.code, made.out]).toEqual([0, expect.stringContaining('New: its key is in')]);
    expect([statSync(file).mode & 0o777, statSync(join(cwd, 'keys')).mode & 0o777]).toEqual([0o600, 0o700]);
    const [, key = ''] = /^MAGPIE_API_KEY=(\S{16,})\n$/.exec(readFileSync(file, 'utf8')) ?? [];
    expect(key).not.toBe('');
    expect(made.out + made.err).not.toContain(key);

    const again = await users(cwd, '--json');
    expect(JSON.parse(again.out)).toMatchObject({
      email: 'merchant@example.com',
      name: 'A merchant',
      status: 'active',
      isNew: false,
      keyFile: null,
    });
    expect(readdirSync(join(cwd, 'keys'))).toEqual(['merchant@example.com.env']);
  });

  it('notes no key that the service quotes, ours or the new one', async () => {
    const { cwd } = await real(child({ apiKey: CHILD, name: `${PARTNER} and ${CHILD}`, status: PARTNER.repeat(40) }));
    const { code } = await users(cwd);
    const listed = await magpie(['partner', 'users', '--csv', '--config', 'magpie.yaml'], { cwd });
    const folder = join(cwd, 'data/magpie.children');
    const noted = readdirSync(folder)
      .map((name) => readFileSync(join(folder, name), 'utf8'))
      .join();
    expect({ code, noted }).toEqual({ code: 0, noted: expect.stringContaining('"name": "*** and ***"') as string });
    for (const text of [noted, listed.out]) for (const key of [PARTNER, CHILD]) expect(text).not.toContain(key.slice(0, 20));
    expect(readFileSync(join(cwd, 'keys/merchant@example.com.env'), 'utf8')).toBe(`MAGPIE_API_KEY=${CHILD}\n`);
  });

  it('asks with the top-level key and sends what was given', async () => {
    const { server, cwd } = await real(child({ apiKey: CHILD }));
    const { code, out, err } = await users(
      cwd,
      '--description',
      'two shops',
      '--key-file',
      'k.env',
      '--variable',
      'SHOP_KEY',
      '--json',
    );
    expect([code, JSON.parse(out)]).toMatchObject([
      0,
      { apiKeyId: 'c1', isNew: true, keyFile: join(cwd, 'k.env'), requestId: 'r-1' },
    ]);
    expect(readFileSync(join(cwd, 'k.env'), 'utf8')).toBe(`SHOP_KEY=${CHILD}\n`);
    expect(out + err).not.toContain(CHILD);
    expect(server.requests).toMatchObject([
      {
        path: '/v1/partner/users',
        headers: { 'x-api-key': PARTNER },
        body: '{"email":"merchant@example.com","description":"two shops"}',
      },
    ]);
  });

  it('never overwrites a key, and keeps one out of an answer that is odd otherwise', async () => {
    const { cwd } = await real(child({ apiKey: CHILD, apiKeyId: 7 }));
    writeFileSync(join(cwd, 'k.env'), 'MAGPIE_API_KEY=older\n');
    const { code, out, err } = await users(cwd, '--key-file', 'k.env');
    expect([code, out.includes('k.env.2')]).toEqual([1, true]);
    expect(err).toContain('not as the document says');
    expect(readFileSync(join(cwd, 'k.env'), 'utf8')).toBe('MAGPIE_API_KEY=older\n');
    expect(readFileSync(join(cwd, 'k.env.2'), 'utf8')).toBe(`MAGPIE_API_KEY=${CHILD}\n`);
  });

  it('says what a suspended key is, and leaves no empty file for a key that did not come', async () => {
    const { cwd } = await real(child({ status: 'suspended' }));
    const { code, out } = await users(cwd);
    expect([code, out.split('\n')[0]]).toEqual([0, 'merchant@example.com: child key c1, suspended']);
    expect(out).toContain('is refused while it is suspended');
    expect(readdirSync(join(cwd, 'keys'))).toEqual([]);
  });

  it.each([
    ['an address that is none', ['partner', 'users', 'merchant'], 'body.email: must be an e-mail address'],
    ['a name that is too long', ['partner', 'users', 'a@b.cd', '--name', 'n'.repeat(129)], 'body.name'],
    ['a description that is too long', ['partner', 'users', 'a@b.cd', '--description', 'n'.repeat(501)], 'body.description'],
  ])('sends nothing for %s', async (_, args, words) => {
    const { server, cwd } = await real(child({}));
    const { code, err } = await magpie([...args, '--config', 'magpie.yaml'], { cwd });
    expect([code, server.requests.length, existsSync(join(cwd, 'keys'))]).toEqual([2, 0, false]);
    expect(err).toContain(words);
  });

  it('asks for no key that it could not keep, and writes to no other folder whatever the address says', async () => {
    const { server, cwd } = await real(child({ apiKey: CHILD }));
    mkdirSync(join(cwd, 'keys'));
    const outside = await magpie(['partner', 'users', '../../x@y.zz', '--config', 'magpie.yaml'], { cwd });
    expect([outside.code, readdirSync(join(cwd, 'keys'))]).toEqual([0, ['__.._x@y.zz.env']]);
    writeFileSync(join(cwd, 'file'), '');
    const none = await users(cwd, '--key-file', 'file/k.env');
    expect([none.code, server.requests.length]).toEqual([1, 1]);
    expect(none.err).toContain('there is no room to keep it');
  });

  it('says that nobody knows, where the answer was lost', async () => {
    const { cwd } = await real(answering(500, { success: false }));
    const { code, err } = await users(cwd);
    expect([code, err]).toEqual([1, expect.stringContaining('Nobody knows whether a key was made for merchant@example.com')]);
  });
});

it('magpie partner stats shows what is completed beside what is pending', async () => {
  const data = {
    orderAmount: 3,
    pendingOrderAmount: 1,
    volume: 41.5,
    pendingVolume: 7,
    partnerRevenue: 0,
    pendingPartnerRevenue: 0,
  };
  const { cwd, server } = await real(answering(200, { requestId: 'r-2', success: true, data }));
  const { code, out } = await magpie(['partner', 'stats', '--csv', '--config', 'magpie.yaml'], { cwd });
  expect([code, out]).toEqual([0, 'what,completed,pending\r\norders,3,1\r\nvolume,41.5,7\r\npartner revenue,0,0\r\n']);
  expect(server.requests).toMatchObject([{ path: '/v1/partner/stats', headers: { 'x-api-key': PARTNER } }]);
});
