import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import type { ServedPage } from '../../src/web/server.ts';
import { TOKEN, posted, stage } from './stage.ts';

const questions = [
  'status',
  'purchases',
  'purchase?id=1',
  'decisions',
  'why?id=1',
  'strategies',
  'charts',
  'alerts',
  'reports',
  'events',
];

/** What comes back for these very bytes until the connection ends. */
function said(page: ServedPage, head: string, body = ''): Promise<string> {
  const { hostname, port } = new URL(page.address);
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(Number(port), hostname, () => socket.write(`${head}\r\nConnection: close\r\n\r\n${body}`));
    socket.on('data', (piece) => (text += piece.toString()));
    socket.on('close', () => resolve(text));
    socket.on('error', reject);
  });
}

async function signedIn(page: ServedPage): Promise<string> {
  const answer = await posted(page, '/api/login', { token: TOKEN }, { authorization: '' });
  return (answer.headers.get('set-cookie') ?? '').split(';', 1)[0] ?? '';
}

describe('without the token', () => {
  it('nothing is shown but the page that asks for it, and nothing is done [S6]', async () => {
    const { page, ledger } = await stage();
    const index = await fetch(page.address);
    expect([index.status, await index.text()]).toEqual([200, '<!doctype html><title>Magpie</title>']);
    for (const path of [...questions.map((name) => `/api/${name}`), '/reports/a.html', '/reports/..%2fmagpie.db', '/nothing']) {
      const answer = await fetch(`${page.address}${path}`);
      expect([path, answer.status]).toEqual([path, 401]);
      expect(await answer.json()).toEqual({ ok: false, message: 'the token of the page is needed' });
    }
    for (const what of ['halt', 'resume'])
      expect((await posted(page, `/api/${what}`, { reason: 'mischief' }, { authorization: '' })).status).toBe(401);
    expect(ledger.halted()).toBeUndefined();
  });

  it('something like it does not do either', async () => {
    const { page } = await stage();
    for (const authorization of [
      '',
      'Bearer',
      'Bearer ',
      `Bearer ${TOKEN}x`,
      `Bearer ${TOKEN.slice(1)}`,
      `Basic ${TOKEN}`,
      TOKEN,
    ])
      expect((await fetch(`${page.address}/api/status`, { headers: { authorization } })).status).toBe(401);
  });

  it('a token that is guessed wrong ten times is not looked at again for a while, right or wrong', async () => {
    const { page } = await stage();
    const guess = async (token: string): Promise<number> =>
      (await posted(page, '/api/login', { token }, { authorization: '' })).status;
    const answers: number[] = [];
    for (let times = 0; times < 12; times += 1) answers.push(await guess(`wrong-${times}`));
    expect(answers).toEqual([...Array.from({ length: 10 }, () => 401), 429, 429]);
    expect(await guess(TOKEN)).toBe(429);
    expect((await fetch(`${page.address}/api/status`, { headers: { authorization: `Bearer ${TOKEN}` } })).status).toBe(401);
  });
});

describe('who shows the token', () => {
  it('gets a session that no script can read, that goes to no other site, and that does not hold the token', async () => {
    const { page } = await stage();
    const answer = await posted(page, '/api/login', { token: TOKEN }, { authorization: '' });
    const cookie = answer.headers.get('set-cookie') ?? '';
    expect(cookie).toMatch(/^magpie-\d+=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=2592000$/);
    expect(cookie).not.toContain(TOKEN);
    const [pair = ''] = cookie.split(';', 1);
    expect((await fetch(`${page.address}/api/status`, { headers: { cookie: pair } })).status).toBe(200);
    expect((await fetch(`${page.address}/api/status`, { headers: { cookie: `${pair}x` } })).status).toBe(401);
    const out = await posted(page, '/api/logout', {}, { cookie: pair });
    expect(out.headers.get('set-cookie')).toMatch(/^magpie-\d+=; .*Max-Age=0$/);
  });

  it('keeps it when Magpie starts anew, and loses it with another token', async () => {
    const one = await stage();
    const cookie = (await signedIn(one.page)).replace(/^magpie-\d+/, '');
    const other = await stage();
    const { port } = new URL(other.page.address);
    const answer = await fetch(`${other.page.address}/api/status`, { headers: { cookie: `magpie-${port}${cookie}` } });
    expect(answer.status).toBe(200);
  });
});

describe('a request that calls us by a name that is not ours', () => {
  const names = ['evil.example', 'evil.example:8787', 'localhost.evil.example', '127.0.0.1.evil.example', ''];

  it('is told nothing, not even the page [S7]', async () => {
    const { page } = await stage();
    for (const host of [...names, '10.0.0.1']) {
      const answer = await said(page, `GET / HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${TOKEN}`);
      expect(answer).toMatch(/^HTTP\/1\.1 421 /);
      expect(answer).not.toContain('Magpie');
    }
    for (const host of ['127.0.0.1:1', 'localhost:9', '[::1]'])
      expect(await said(page, `GET / HTTP/1.1\r\nHost: ${host}`)).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('is told nothing where others may reach it either; an address of digits cannot be made to lead elsewhere', async () => {
    const { page } = await stage({ host: '0.0.0.0' });
    for (const host of names) expect(await said(page, `GET / HTTP/1.1\r\nHost: ${host}`)).toMatch(/^HTTP\/1\.1 421 /);
    for (const host of ['192.168.1.7:8787', '[fe80::1]:8787', '127.0.0.1'])
      expect(await said(page, `GET / HTTP/1.1\r\nHost: ${host}`)).toMatch(/^HTTP\/1\.1 200 /);
  });
});

describe('another site', () => {
  const evil = { origin: 'http://evil.example', 'sec-fetch-site': 'cross-site' };

  it('reads nothing and presses no button, even in the browser of who is signed in [S8]', async () => {
    const { page, ledger } = await stage();
    const cookie = await signedIn(page);
    for (const name of questions) {
      const { status } = await fetch(`${page.address}/api/${name}`, { headers: { cookie, origin: evil.origin } });
      expect([name, status]).toEqual([name, 403]);
    }
    for (const headers of [
      { ...evil, cookie },
      { cookie, origin: 'null' },
      { cookie, origin: page.address.replace('http:', 'https:') },
      { cookie, origin: page.address.replace(/:\d+$/, ':1') },
    ])
      expect((await posted(page, '/api/halt', { reason: 'mischief' }, headers)).status).toBe(403);
    const form = 'application/x-www-form-urlencoded';
    expect((await posted(page, '/api/halt', 'reason=mischief', { cookie, 'content-type': form })).status).toBe(400);
    expect((await posted(page, '/api/halt', '{"reason":"mischief"}', { cookie, 'content-type': 'text/plain' })).status).toBe(400);
    expect(ledger.halted()).toBeUndefined();
  });

  it('without saying where it comes from, changes nothing either', async () => {
    const { page, ledger } = await stage();
    const cookie = await signedIn(page);
    const { host } = new URL(page.address);
    const body = '{"reason":"mischief"}';
    const head = `POST /api/halt HTTP/1.1\r\nHost: ${host}\r\nCookie: ${cookie}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}`;
    expect(await said(page, head, body)).toMatch(/^HTTP\/1\.1 403 /);
    expect(ledger.halted()).toBeUndefined();
  });

  it('may lead here, and can neither frame us nor have us load anything of its own [S10]', async () => {
    const { page } = await stage();
    const link = await fetch(page.address, { headers: { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' } });
    expect(link.status).toBe(200);
    for (const path of ['/', '/api/status', '/nothing']) {
      const { headers } = await fetch(`${page.address}${path}`);
      const policy = headers.get('content-security-policy') ?? '';
      expect(policy).toContain("default-src 'self'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toContain('unsafe');
      expect([headers.get('x-frame-options'), headers.get('cache-control')]).toEqual(['DENY', 'no-store']);
      expect([headers.get('x-content-type-options'), headers.get('referrer-policy')]).toEqual(['nosniff', 'no-referrer']);
    }
  });
});

describe('through the page', () => {
  it('buying can be stopped and allowed again, each with a reason, as by the commands', async () => {
    const { page, ledger, resumed } = await stage();
    for (const reason of ['', '   ', 'x'.repeat(1_001), 7, null])
      expect((await posted(page, '/api/halt', { reason })).status).toBe(400);
    expect(ledger.halted()).toBeUndefined();
    expect((await posted(page, '/api/halt', { reason: ` prices look\n odd, says ${TOKEN}` })).status).toBe(200);
    expect(ledger.halted()).toMatchObject({ reason: 'prices look odd, says ***', by: 'person' });
    expect((await posted(page, '/api/resume', { reason: '' })).status).toBe(400);
    expect(ledger.halted()).toBeDefined();
    expect((await posted(page, '/api/resume', { reason: 'they are well' })).status).toBe(200);
    expect([ledger.halted(), resumed]).toEqual([undefined, ['they are well']]);
  });

  it('nothing else can be changed: no cap, no strategy, no mode, no purchase [S11]', async () => {
    const { page } = await stage();
    const paths = [
      ...questions.map((name) => `/api/${name}`),
      '/api/buy',
      '/api/settings',
      '/api/limits',
      '/api/resolve',
      '/',
      '/api/',
    ];
    for (const path of paths) expect([path, (await posted(page, path, { reason: 'more' })).status]).toEqual([path, 404]);
    const { host } = new URL(page.address);
    for (const method of ['PUT', 'DELETE', 'PATCH', 'OPTIONS', 'CONNECT', 'TRACE', 'PROPFIND'])
      for (const path of ['/api/halt', '/api/status', '/']) {
        const head = `${method} ${path} HTTP/1.1\r\nHost: ${host}\r\nOrigin: ${page.address}\r\nAuthorization: Bearer ${TOKEN}`;
        expect(await said(page, head)).not.toMatch(/^HTTP\/1\.1 2/);
      }
  });

  it('a body that is none is refused', async () => {
    const { page, ledger } = await stage();
    for (const body of ['{', '[]', '"halt"', 'null', '', `{"reason":"${'x'.repeat(20_000)}"}`])
      expect((await posted(page, '/api/halt', body)).status).toBe(400);
    expect(ledger.halted()).toBeUndefined();
  });
});

describe('whoever asks for much', () => {
  it('gets one answer at a time on a connection', async () => {
    const { page } = await stage();
    const { host } = new URL(page.address);
    const one = `GET /api/status HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${TOKEN}\r\n\r\n`;
    const answer = await said(page, `${one.repeat(50)}GET / HTTP/1.1\r\nHost: ${host}`);
    expect(answer.split('HTTP/1.1 200').length - 1).toBeLessThanOrEqual(1);
    expect((await fetch(page.address)).status).toBe(200);
  });
});
