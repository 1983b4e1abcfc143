import { Agent, get } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ListeningServer } from '../../src/monitor/listening.ts';
import { type Page, serve } from '../../src/monitor/server.ts';

const told: Page = { status: 200, type: 'text/plain', body: 'told\n' };

async function start(pages: Parameters<typeof serve>[0]['pages'] = { '/told': () => told }): Promise<ListeningServer> {
  const server = await serve({ host: '127.0.0.1', port: 0, pages, isOurName: (name) => name === '127.0.0.1' });
  onTestFinished(() => server.close());
  return server;
}

/** What comes back for these very bytes until the connection ends. */
function said(address: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(address);
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    socket.on('data', (piece) => (text += piece.toString()));
    socket.on('close', () => resolve(text));
    socket.on('error', reject);
  });
}

function status(url: string, agent: Agent): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    get(url, { agent }, (response) => response.resume().on('end', () => resolve(response.statusCode))).on('error', reject);
  });
}

describe('the server of metrics', () => {
  it('answers GET with the page, and HEAD with all but its body', async () => {
    const { address } = await start();
    const got = await fetch(`${address}/told?x=1`);
    expect([got.status, await got.text(), got.headers.get('cache-control')]).toEqual([200, 'told\n', 'no-store']);
    const head = await fetch(`${address}/told`, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '5', '']);
  });

  it.each(['POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'])('does not take %s', async (method) => {
    const { address } = await start();
    const answer = await fetch(`${address}/told`, { method });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });

  it.each(['/', '/told/', '/../told', '/constructor', '/__proto__', '//told'])('has nothing at %s', async (path) => {
    const { address } = await start();
    expect(await said(address, `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n`)).toMatch(
      /^HTTP\/1\.1 404 /,
    );
  });

  it.each(['evil.example', 'evil.example:9790', 'localhost.evil.example', '127.0.0.1.evil.example', '[::1]'])(
    'tells nothing to who asks for %s: a page in a browser may have its own name lead here',
    async (host) => {
      const { address } = await start();
      const answer = await said(address, `GET /told HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
      expect(answer).toMatch(/^HTTP\/1\.1 421 /);
      expect(answer).not.toContain('told\n');
    },
  );

  it('says nothing of why a page failed', async () => {
    const { address } = await start({ '/told': () => Promise.reject(new Error('secret')) });
    const answer = await fetch(`${address}/told`);
    expect([answer.status, await answer.text()]).toEqual([500, 'it cannot be told just now\n']);
  });

  it('takes no headers without end', async () => {
    const { address } = await start();
    const answer = await said(address, `GET /told HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 431 /);
  });

  it('answers one question of a connection at a time: who sends thousands in one packet is cut off at the second', async () => {
    let asked = 0;
    const { address } = await start({ '/told': () => ((asked += 1), told) });
    const one = 'GET /told HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n';
    await said(address, one.repeat(3_000)).catch(() => undefined);
    expect(asked).toBe(1);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    onTestFinished(() => agent.destroy());
    for (let n = 0; n < 3; n++) expect(await status(`${address}/told`, agent)).toBe(200);
    expect(asked).toBe(4);
  });

  it('ends at once, whoever is connected', async () => {
    const { address, close } = await start();
    const open = said(address, 'GET /told HTTP/1.1\r\nHost: 127.0.0.1\r\n');
    await fetch(`${address}/told`);
    await close();
    await open.catch(() => undefined);
    await expect(fetch(`${address}/told`)).rejects.toThrow('fetch failed');
  });

  it('says where it cannot listen', async () => {
    const { address } = await start();
    const port = Number(new URL(address).port);
    await expect(serve({ host: '127.0.0.1', port, pages: {}, isOurName: () => true })).rejects.toMatchObject({
      code: 'EADDRINUSE',
    });
  });
});
