import { existsSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  CallError,
  createClient,
  transferKeysIn,
  type Client,
  type MadeTransfer,
  type TransferKeys,
} from '../../src/client/client.ts';
import { startSandbox, type RunningSandbox } from '../../src/sandbox/start.ts';
import { freshFolder } from '../e2e/fresh-folder.ts';
import { HostileServer, answering } from '../gateway/hostile-server.ts';
import { calm } from '../sandbox/harness.ts';
import { VirtualClock } from '../support/virtual-clock.ts';

interface Scene {
  readonly sandbox: RunningSandbox;
  readonly folder: string;
  readonly shopId: string;
  /** A program that has just started: it knows what stands in the folder, and nothing else. */
  started(keys?: TransferKeys, baseUrl?: string): Client;
  /** Of the shop, in dollars. */
  balance(): Promise<number>;
}

async function scene(): Promise<Scene> {
  const sandbox = await startSandbox({ seed: 7, listings: 20, clock: new VirtualClock(), faults: calm });
  onTestFinished(() => sandbox.close());
  const folder = join(freshFolder(), 'transfers');
  const started = (keys = transferKeysIn(folder), baseUrl = sandbox.baseUrl): Client => {
    const client = createClient({ baseUrl, apiKey: sandbox.topLevelKey, transferKeys: keys });
    onTestFinished(() => client.close());
    return client;
  };
  const made = (await started().createUser({ body: { email: 'shop@example.com' } })).data;
  const shop = createClient({ baseUrl: sandbox.baseUrl, apiKey: made.apiKey ?? '' });
  onTestFinished(() => shop.close());
  const balance = async (): Promise<number> => (await shop.user()).data.profile.balance;
  return { sandbox, folder, shopId: made.apiKeyId, started, balance };
}

/** Hands requests on to the exchange, and breaks the line in place of the first answers. */
async function lossyLine(to: string, losses: number): Promise<{ readonly url: string; readonly bodies: string[] }> {
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks);
      bodies.push(body.toString());
      const headers = { 'x-api-key': String(request.headers['x-api-key']), 'content-type': 'application/json' };
      const forwarded = fetch(to + String(request.url), { method: request.method ?? 'GET', headers, body });
      void forwarded.then(async (answer) => {
        const text = await answer.text();
        if (bodies.length <= losses) request.socket.destroy();
        else response.writeHead(answer.status, { 'content-type': 'application/json' }).end(text);
      });
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, bodies };
}

const failureOf = async (call: Promise<MadeTransfer>): Promise<CallError> => {
  const failure = await call.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (failure instanceof CallError) return failure;
  throw new Error(`no CallError but ${String(failure)}`);
};

const opening = { purpose: 'opening of the shop', body: { toEmail: 'shop@example.com', amountCents: 2_500 } };

describe('a transfer for a purpose', () => {
  it('moves money once, however often and by however many programs it is asked for', async () => {
    const { started, balance } = await scene();
    const first = await started().transferOnce(opening);
    expect(first).toMatchObject({ wasDone: false, status: 200, data: { amountCents: 2_500 } });
    const again = await started().transferOnce(opening);
    expect(again).toEqual({ ...first, wasDone: true });
    const programs = Array.from({ length: 5 }, () => started());
    const topUp = { ...opening, purpose: 'top-up' };
    await Promise.all(programs.map((program) => program.transferOnce(topUp)));
    expect(await balance()).toBe(50);
  });

  it('is sent again with the same key by a program that crashed before its answer came', async () => {
    const { sandbox, folder, started, balance } = await scene();
    const line = await lossyLine(sandbox.baseUrl, 1);
    expect(await failureOf(started(undefined, line.url).transferOnce(opening))).toMatchObject({ kind: 'unknown', sent: true });
    expect(await started(transferKeysIn(folder), line.url).transferOnce(opening)).toMatchObject({ wasDone: false });
    expect(line.bodies).toHaveLength(2);
    expect(line.bodies[1]).toBe(line.bodies[0]);
    expect(await balance()).toBe(25);
  });

  it('has the same key where the folder was lost, and says so when another amount was moved by it', async () => {
    const { started, balance } = await scene();
    await started().transferOnce(opening);
    const elsewhere = transferKeysIn(join(freshFolder(), 'new'));
    await started(elsewhere).transferOnce(opening);
    expect(await balance()).toBe(25);
    const other = { ...opening, body: { ...opening.body, amountCents: 100 } };
    const failure = await failureOf(started(transferKeysIn(join(freshFolder(), 'newer'))).transferOnce(other));
    expect(failure).toMatchObject({ kind: 'answer', sent: true });
    expect(failure.message).toContain('amountCents is 2500, and 100 was asked for');
    expect(await balance()).toBe(25);
  });

  it('is on disk, for its owner alone, before it is sent', async () => {
    const { folder, started } = await scene();
    const seen: unknown[] = [];
    const server = await HostileServer.start({
      answer: (socket) => {
        for (const name of readdirSync(folder)) {
          const path = join(folder, name);
          seen.push([statSync(path).mode & 0o777, JSON.parse(readFileSync(path, 'utf8'))]);
        }
        socket.destroy();
      },
    });
    onTestFinished(() => server.close());
    await failureOf(started(undefined, server.url).transferOnce(opening));
    const idempotencyKey = expect.stringMatching(/^magpie-[0-9a-f]{48}$/) as string;
    expect(seen).toEqual([[0o600, { kept: { ...opening.body, purpose: opening.purpose, idempotencyKey } }]]);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  });

  it('is not sent when its key cannot be kept', async () => {
    const { sandbox, started, folder, balance } = await scene();
    writeFileSync(join(folder, '..', 'elsewhere'), '');
    symlinkSync('elsewhere', folder);
    const line = await lossyLine(sandbox.baseUrl, 0);
    const failure = await failureOf(started(undefined, line.url).transferOnce(opening));
    expect(failure).toMatchObject({ kind: 'transient', sent: false });
    expect(failure.message).toContain('its key could not be kept');
    expect([line.bodies, await balance()]).toEqual([[], 0]);
  });

  it('is not sent for a purpose that has gone to somebody else or with another amount', async () => {
    const { started, shopId, balance } = await scene();
    await started().transferOnce(opening);
    for (const body of [
      { ...opening.body, amountCents: 2_501 },
      { toApiKeyId: shopId, amountCents: 2_500 },
    ])
      expect(await failureOf(started().transferOnce({ ...opening, body }))).toMatchObject({
        kind: 'request',
        sent: false,
        broken: { rule: expect.stringContaining('another transfer needs another purpose') as string },
      });
    expect(await balance()).toBe(25);
  });

  it('leaves its purpose free when a first attempt was refused, and not when a repeat was', async () => {
    const { sandbox, folder, started, balance } = await scene();
    const nobody = { ...opening, body: { ...opening.body, toEmail: 'nobody@example.com' } };
    expect(await failureOf(started().transferOnce(nobody))).toMatchObject({ kind: 'refused' });
    expect(readdirSync(folder)).toEqual([]);
    const line = await lossyLine(sandbox.baseUrl, 1);
    expect(await failureOf(started(undefined, line.url).transferOnce(opening))).toMatchObject({ kind: 'unknown' });
    const refusing = await HostileServer.start(answering(400, { success: false, code: 'FUNDS' }));
    onTestFinished(() => refusing.close());
    expect(await failureOf(started(undefined, refusing.url).transferOnce(opening))).toMatchObject({ kind: 'refused' });
    const other = { ...opening, body: { ...opening.body, amountCents: 1 } };
    expect(await failureOf(started().transferOnce(other))).toMatchObject({ kind: 'request', sent: false });
    await started().transferOnce(opening);
    expect(await balance()).toBe(25);
  });

  it('says that it was made where that could not be noted, and is safe to repeat', async () => {
    const { folder, started, balance } = await scene();
    const files = transferKeysIn(folder);
    const full: TransferKeys = {
      keep: (kept) => files.keep(kept),
      release: (purpose) => files.release(purpose),
      done: () => Promise.reject(new Error('no space left on device')),
    };
    const failure = await failureOf(started(full).transferOnce(opening));
    expect(failure).toMatchObject({ kind: 'answer', message: 'it was made, but could not be noted: no space left on device' });
    expect(await started().transferOnce(opening)).toMatchObject({ wasDone: false });
    expect(await balance()).toBe(25);
  });

  it('keeps nothing of what breaks a rule, and needs a purpose and a place for keys', async () => {
    const { folder, started, sandbox } = await scene();
    for (const wrong of [
      { ...opening, body: { ...opening.body, amountCents: 0 } },
      { ...opening, body: { amountCents: 1 } },
      { ...opening, purpose: ' ' },
      { ...opening, purpose: 'x'.repeat(501) },
    ])
      expect(await failureOf(started().transferOnce(wrong))).toMatchObject({ kind: 'request', sent: false });
    expect(existsSync(folder)).toBe(false);
    const without = createClient({ baseUrl: sandbox.baseUrl, apiKey: sandbox.topLevelKey });
    onTestFinished(() => without.close());
    expect((await failureOf(without.transferOnce(opening))).message).toContain('transferKeysIn(folder)');
  });

  it('tells of a file that is no JSON rather than begin anew', async () => {
    const { folder, started, balance } = await scene();
    await started().transferOnce(opening);
    for (const name of readdirSync(folder)) writeFileSync(join(folder, name), '');
    const failure = await failureOf(started().transferOnce(opening));
    expect([failure.sent, failure.message]).toEqual([false, expect.stringContaining('it is no JSON') as string]);
    expect(await balance()).toBe(25);
  });
});
