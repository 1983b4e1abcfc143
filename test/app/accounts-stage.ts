import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type Platform, type PlatformStarted, startPlatform } from '../../src/app/accounts/platform.ts';
import { plainPalette } from '../../src/app/narrate.ts';
import { SystemClock } from '../../src/app/system-clock.ts';
import { systemRandom } from '../../src/app/system-random.ts';
import type { Purchase } from '../../src/domain/purchase.ts';
import type { RunningSandbox } from '../../src/sandbox/start.ts';
import { loadSettings } from '../../src/settings/load.ts';
import { loadStrategies } from '../../src/settings/strategies.ts';
import { PATIENCE_MS, beside, openHanded, within } from './stage.ts';

/** One request as it passed, with the key that it carried. */
export interface Passed {
  readonly method: string;
  readonly path: string;
  readonly key: string;
}

/** What stands before an exchange and sees every request; closed after the test. */
export async function watched(exchange: RunningSandbox): Promise<{ readonly baseUrl: string; readonly passed: Passed[] }> {
  const passed: Passed[] = [];
  const to = new URL(exchange.baseUrl);
  const server = createServer((incoming, answer) => {
    const { method = '', url = '', headers } = incoming;
    passed.push({ method, path: url.replace(/\?.*$/, ''), key: String(headers['x-api-key']) });
    const onward = request({ host: to.hostname, port: to.port, method, path: url, headers }, (reply) => {
      answer.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(answer);
      reply.on('error', () => answer.destroy());
    });
    onward.on('error', () => answer.destroy());
    incoming.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  );
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, passed };
}

type Block = Readonly<Record<string, unknown>>;

export interface PlatformSetting {
  readonly place: string;
  readonly baseUrl: string;
  readonly topLevelKey: string;
  readonly tradeUrl: string;
  /** By name, each with at least its `apiKey`. */
  readonly accounts: Readonly<Record<string, Block>>;
  readonly config?: Block;
  readonly once?: boolean;
}

/** One process for several accounts in this one, on real parts. */
export class Operator {
  readonly platform: Platform;
  readonly lines: string[];
  readonly data: string;

  constructor(platform: Platform, lines: string[], data: string) {
    this.platform = platform;
    this.lines = lines;
    this.data = data;
  }

  get text(): string {
    return this.lines.join('');
  }

  /** Oldest first. */
  purchases(account: string): Purchase[] {
    return beside(this.folder(account), (ledger) => [...ledger.purchases({})].reverse());
  }

  folder(account: string): string {
    return join(this.data, 'accounts', account);
  }

  halt(account: string, reason: string): void {
    beside(this.folder(account), (ledger) => ledger.halt(reason, 'person', Date.now()));
  }

  async sees(what: string, condition: () => boolean): Promise<void> {
    if (await within(condition, PATIENCE_MS)) return;
    throw new Error(`not within ${PATIENCE_MS} ms: ${what}\n${this.text.slice(-4_000)}`);
  }

  async stop(): Promise<void> {
    this.platform.stop('the test is over');
    await this.platform.ended;
  }
}

export async function tryOperator(
  setting: PlatformSetting,
): Promise<{ operator: Operator } | Extract<PlatformStarted, { ok: false }>> {
  const { place, baseUrl, topLevelKey, tradeUrl, accounts, config = {}, once = false } = setting;
  mkdirSync(join(place, 'strategies'), { recursive: true });
  writeFileSync(
    join(place, 'strategies', 'wants.yaml'),
    JSON.stringify({ name: 'wants', when: { name: '*' }, price: { max: 1000 } }),
  );
  const all = Object.fromEntries(Object.entries(accounts).map(([name, block]) => [name, { tradeUrl, ...block }]));
  const whole = { ...openHanded, service: { baseUrl }, account: { partnerKey: topLevelKey }, accounts: all, ...config };
  writeFileSync(join(place, 'magpie.yaml'), JSON.stringify(whole), { mode: 0o600 });
  const loaded = loadSettings({ file: 'magpie.yaml', env: {}, cwd: place });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.faults));
  const lines: string[] = [];
  const started = await startPlatform({
    settings: loaded.settings,
    accounts: loaded.each.map((settings) => {
      const strategies = loadStrategies(settings.strategies, settings.strategies);
      if (!strategies.ok) throw new Error(JSON.stringify(strategies.faults));
      return { settings, strategies: strategies.strategies };
    }),
    notices: [],
    env: { XDG_RUNTIME_DIR: place },
    version: '0.0.0-test',
    clock: new SystemClock(),
    random: systemRandom,
    palette: plainPalette,
    write: (line) => void lines.push(line),
    once,
    againMs: 300,
  });
  if (!started.ok) return started;
  const operator = new Operator(started.platform, lines, loaded.settings.data);
  onTestFinished(() => operator.stop());
  return { operator };
}

export async function startOperator(setting: PlatformSetting): Promise<Operator> {
  const tried = await tryOperator(setting);
  if (!('operator' in tried)) throw new Error(tried.message);
  return tried.operator;
}
