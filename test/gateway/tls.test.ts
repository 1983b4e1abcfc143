import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:tls';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { order } from './answers.ts';
import { never, scenes, within } from './harness.ts';
import { untrusted } from './untrusted-certificate.ts';

const scene = scenes();

const overTls = (url: string) => ({ baseUrl: url.replace('http:', 'https:'), ...within(500) });

describe('a connection over TLS', () => {
  it('offers HTTP/1.1 and nothing that may send a request twice [N30]', async () => {
    const greetings: string[] = [];
    const { gateway, venue } = await scene(
      { accept: (socket) => void socket.on('data', (bytes) => (greetings.push(bytes.toString('latin1')), socket.destroy())) },
      overTls,
    );
    await gateway.service.read('user');
    await venue().buy(order, never);
    expect(greetings.length).toBeGreaterThanOrEqual(2);
    for (const greeting of greetings) {
      expect(greeting).toContain('\u0008http/1.1');
      expect(greeting).not.toContain('\u0002h2');
    }
  });

  it.each(['0', undefined])(
    'is not made to one whose certificate nobody trusts, NODE_TLS_REJECT_UNAUTHORIZED=%s [N1 N32]',
    async (value) => {
      vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', value);
      onTestFinished(() => void vi.unstubAllEnvs());
      let received = '';
      const server = createServer(untrusted, (socket) => void socket.on('data', (bytes) => void (received += bytes.toString())));
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      onTestFinished(() => void server.close());
      const baseUrl = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const { gateway, venue } = await scene({}, { baseUrl, ...within(10_000) });
      expect((await venue().buy(order, never)).outcome).toMatchObject({ kind: 'unsent', cause: 'connection' });
      expect(await gateway.service.read('user')).toMatchObject({ ok: false, fault: { cause: 'connection', sent: false } });
      expect(received).toBe('');
    },
  );
});
