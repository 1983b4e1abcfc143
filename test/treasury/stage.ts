import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { type Micros, sum } from '../../src/domain/money.ts';
import { Secret } from '../../src/domain/secret.ts';
import { type Hand, createHand } from '../../src/gateway/hand.ts';
import { type RunningSandbox, startSandbox } from '../../src/sandbox/start.ts';
import { moverOf, readerOf } from '../../src/treasury/bank.ts';
import type { TreasuryPolicy } from '../../src/treasury/decide/policy.ts';
import { openToWrite } from '../../src/treasury/journal-file.ts';
import { TreasuryJournal } from '../../src/treasury/journal.ts';
import type { TreasuryEvent } from '../../src/treasury/event.ts';
import { Treasury } from '../../src/treasury/treasury.ts';
import { freshFolder } from '../e2e/fresh-folder.ts';
import { calm } from '../sandbox/harness.ts';
import { dollars } from '../support/values.ts';
import { VirtualClock } from '../support/virtual-clock.ts';

/** What becomes of one request for a transfer on its way. */
export type Fate =
  | 'passes'
  | 'lost-before'
  | 'lost-after'
  | 'twice'
  | 'too-many'
  | 'page-after'
  | 'other-amount'
  | 'other-child'
  | 'without-fields';

export const usualPolicy: TreasuryPolicy = {
  children: ['a', 'b'].map((name) => ({ name, floor: dollars(50), target: dollars(200), perDay: dollars(500) })),
  reserve: dollars(100),
  perTransfer: dollars(200),
  hour: dollars(600),
  day: dollars(1_000),
  dedicated: true,
};

/** The real exchange over HTTP, a line before it that misbehaves, and treasuries that start and die. */
export class TreasuryStage {
  readonly clock = new VirtualClock();
  readonly folder = freshFolder();
  /** Of the next transfers, one after the other; then all pass. */
  readonly fates: Fate[] = [];
  /** Bodies of transfers that reached the line. */
  readonly sent: { readonly idempotencyKey: string; readonly amountCents: number }[] = [];
  /** Every request that reached the line, with the key that it showed. */
  readonly asked: { readonly key: string; readonly what: string }[] = [];
  readonly told: TreasuryEvent[] = [];
  /** Called as a transfer reaches the line, before anything becomes of it. */
  onSent: () => void | Promise<void> = () => undefined;
  /** What the service takes the time to be. */
  serviceNow: () => number = () => this.clock.now();
  /** What the line says that the top-level account has, dollars; undefined: what it has. */
  topBalance: number | undefined;
  /** A cache on the way that answers with what each key was told last; undefined: there is none. `age`: what it says of that, seconds. */
  cache: { readonly age: number | undefined } | undefined;
  /** By the key that asked. */
  readonly #last = new Map<string, string>();
  sandbox!: RunningSandbox;
  #url = '';

  static async start(balances: readonly number[] = [1_000, 20, 100]): Promise<TreasuryStage> {
    const stage = new TreasuryStage();
    const [top, ...children] = balances;
    const accounts = [
      { kind: 'top-level' as const, balance: top ?? 0 },
      ...children.map((balance, index) => ({ kind: 'child' as const, email: `child${index + 1}@sandbox.example`, balance })),
    ];
    stage.sandbox = await startSandbox({ seed: 7, listings: 20, clock: stage.clock, faults: calm, accounts });
    onTestFinished(() => stage.sandbox.close());
    stage.#url = await stage.#line();
    return stage;
  }

  hand(key: string): Hand {
    const hand = createHand({
      baseUrl: this.#url,
      apiKey: new Secret(key),
      partnerKey: undefined,
      timeoutMs: 10_000,
      clock: this.clock,
    });
    onTestFinished(() => hand.close());
    return hand;
  }

  /** A process that has just started: it knows what stands in the folder, and nothing else. */
  started(
    policy = usualPolicy,
    keys: readonly string[] = this.sandbox.childKeys,
  ): { treasury: Treasury; journal: TreasuryJournal } {
    const opened = openToWrite(this.folder);
    if (!opened.ok) throw new Error(opened.fault.message);
    const journal = new TreasuryJournal(opened.value);
    onTestFinished(() => journal.close());
    const top = this.hand(this.sandbox.topLevelKey);
    const children = new Map(
      policy.children.map(({ name }, index) => [
        name,
        { to: { email: `child${index + 1}@sandbox.example` }, reader: readerOf(this.hand(keys[index] ?? ''), this.clock) },
      ]),
    );
    const treasury = new Treasury({
      ...{ policy, journal, children, mover: moverOf(top), clock: this.clock, gapMs: 0, newKey: randomUUID },
      top: readerOf(top, this.clock),
      tell: (event) => this.told.push(event),
    });
    return { treasury, journal };
  }

  /** By the exchange's own books: the top-level account first. */
  balances(): Micros[] {
    return this.sandbox.books().accounts.map(({ balance }) => balance);
  }

  total(): number {
    return sum(this.balances());
  }

  async #line(): Promise<string> {
    const server = createServer((request, response) => {
      // The line tells the exchange's time, not that of the machine that the test runs on.
      response.setHeader('date', new Date(this.serviceNow()).toUTCString());
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => void this.#handle(request, response, Buffer.concat(chunks).toString()));
    });
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  async #handle(request: IncomingMessage, response: ServerResponse, body: string): Promise<void> {
    this.asked.push({ key: String(request.headers['x-api-key']), what: `${request.method} ${request.url}` });
    const fate = request.url === '/v1/partner/transfers' ? await this.#fateOf(body) : 'passes';
    if (fate === 'lost-before') return void request.socket.destroy();
    if (fate === 'too-many') {
      response.setHeader('retry-after', '30');
      return send(response, 429, JSON.stringify({ success: false, message: 'slow down' }));
    }
    const key = String(request.headers['x-api-key']);
    const lay = request.method === 'GET' && this.cache ? this.#last.get(key) : undefined;
    if (lay !== undefined) {
      if (this.cache?.age !== undefined) response.setHeader('age', String(this.cache.age));
      return send(response, 200, lay);
    }
    const headers = { 'x-api-key': key, 'content-type': 'application/json' };
    const forward = (): Promise<Response> =>
      fetch(this.sandbox.baseUrl + String(request.url), {
        method: request.method ?? 'GET',
        headers,
        ...(body !== '' && { body }),
      });
    if (fate === 'twice') await forward();
    const answer = await forward();
    const text = await answer.text();
    if (request.method === 'GET') this.#last.set(key, text);
    if (fate === 'lost-after') request.socket.destroy();
    else if (fate === 'page-after') response.writeHead(403, { 'content-type': 'text/html' }).end('<html>Blocked</html>');
    else send(response, answer.status, fate === 'passes' ? this.#told(request, text) : twisted(text, fate));
  }

  #told({ headers, url }: IncomingMessage, text: string): string {
    if (this.topBalance === undefined || url !== '/v1/user' || headers['x-api-key'] !== this.sandbox.topLevelKey) return text;
    const answer = JSON.parse(text) as { data: { profile: object } };
    answer.data.profile = { ...answer.data.profile, balance: this.topBalance };
    return JSON.stringify(answer);
  }

  async #fateOf(body: string): Promise<Fate> {
    this.sent.push(JSON.parse(body) as (typeof this.sent)[number]);
    await this.onSent();
    return this.fates.shift() ?? 'passes';
  }
}

function twisted(text: string, fate: Fate): string {
  const answer = JSON.parse(text) as { data?: Record<string, unknown> };
  if (fate === 'other-amount') answer.data = { ...answer.data, amountCents: 1 };
  if (fate === 'other-child') answer.data = { ...answer.data, userApiKeyId: 'f'.repeat(24) };
  if (fate === 'without-fields') answer.data = { message: 'done' };
  return JSON.stringify(answer);
}

function send(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(text);
}
