import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { SystemClock } from '../../src/app/system-clock.ts';
import { startSandbox } from '../../src/sandbox/start.ts';
import { calm } from '../sandbox/harness.ts';

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));
const document = path('../../schemas/openapi.json');
// The generator is a package of its own, with the older TypeScript that it wants: `npm ci --prefix test/api/generated-client`.
const theirs = createRequire(path('./generated-client/package.json'));
const programOf = (name: string, program: string): string => join(dirname(theirs.resolve(`${name}/package.json`)), program);
// In CI it is taken to be installed: there a test that cannot run must fail, and not be left out.
const isInstalled = process.env['CI'] !== undefined || existsSync(path('./generated-client/node_modules'));

const bot = `import createClient from 'openapi-fetch';
import type { paths } from './marketplace.js';

declare const process: { readonly env: Record<string, string | undefined> };
const { BASE_URL = '', KEY = '', TRADE_URL = '' } = process.env;
const client = createClient<paths>({ baseUrl: BASE_URL, headers: { 'X-API-Key': KEY } });
const live = await client.GET('/v2/partner/live/listings');
const [cheapest] = (live.data?.data.listings ?? []).toSorted((one, other) => one.priceWithFee - other.priceWithFee);
if (!cheapest) throw new Error('nothing is for sale');
const { id, price, market } = cheapest;
if (market !== 'c5game' && market !== 'ecosteam') throw new Error('of a market that cannot be bought from');
const bought = await client.POST('/v2/market/buy', { body: { itemId: id, price, market, tradeUrl: TRADE_URL } });
if (!bought.data) throw new Error(JSON.stringify(bought.error));
const order: string = bought.data.data.order.serviceOrderId;
const again = await client.POST('/v2/market/buy', { body: { itemId: id, price, market } });
const orders = await client.GET('/v1/user/orders');
console.log(JSON.stringify({ order, refused: again.error?.code, orders: orders.data?.data.orders.map((each) => each.id) }));
`;

interface Ran {
  readonly code: number;
  readonly out: string;
}

function run(cwd: string, script: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Ran> {
  return new Promise((resolve) => {
    const options = { cwd, env: { ...process.env, ...env }, timeout: 120_000 };
    execFile(process.execPath, [script, ...args], options, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : 1, out: `${stdout}${stderr}` }),
    );
  });
}

const compile = (cwd: string, files: readonly string[]): Promise<Ran> =>
  run(cwd, programOf('typescript', 'bin/tsc'), [
    ...['--strict', '--target', 'es2023', '--lib', 'es2023,dom', '--module', 'nodenext'],
    ...['--outDir', 'built', ...files],
  ]);

/** A folder with the types that the generator makes of the document. */
async function generated(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'magpie-generated-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  symlinkSync(path('./generated-client/node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  const made = await run(folder, programOf('openapi-typescript', 'bin/cli.js'), [document, '-o', 'marketplace.d.ts']);
  if (made.code !== 0) throw new Error(made.out);
  return folder;
}

describe.runIf(isInstalled)('a client that openapi-typescript has generated from the OpenAPI file', () => {
  it('compiles, and trades on the sandbox; what the document does not allow does not compile', { timeout: 900_000 }, async () => {
    const folder = await generated();
    const wrong = {
      'unknown-field.ts': bot.replaceAll('itemId: id, price, market', 'itemId: id, price, market, amount: 1'),
      'field-left-out.ts': bot.replaceAll('itemId: id, price, market', 'itemId: id, market'),
      'other-market.ts': bot.replaceAll('itemId: id, price, market', "itemId: id, price, market: 'elsewhere'"),
      'no-such-path.ts': bot.replaceAll('/v1/user/orders', '/v1/user/order'),
    };
    for (const [name, text] of Object.entries({ 'bot.ts': bot, ...wrong })) writeFileSync(join(folder, name), text);
    const { out } = await compile(folder, ['bot.ts', ...Object.keys(wrong)]);
    const faulty = [...out.matchAll(/^([\w-]+\.ts)\(/gm)].map(([, name]) => name);
    expect([new Set(faulty), out]).toEqual([new Set(Object.keys(wrong)), expect.any(String)]);
    const sandbox = await startSandbox({ seed: 7, listings: 100, clock: new SystemClock(), faults: calm });
    onTestFinished(() => sandbox.close());
    const { baseUrl, childKey, tradeUrl } = sandbox;
    const ran = await run(folder, 'built/bot.js', [], { BASE_URL: baseUrl, KEY: childKey, TRADE_URL: tradeUrl });
    expect(ran).toEqual({ code: 0, out: expect.stringMatching(/^\{.*\}\n$/) });
    const { order, refused, orders } = JSON.parse(ran.out) as Record<string, unknown>;
    expect(orders).toEqual([order]);
    expect(refused).toEqual(expect.any(String));
    expect(sandbox.books().orders).toHaveLength(1);
  });

  it('knows every endpoint of the table', { timeout: 900_000 }, async () => {
    const folder = await generated();
    const { paths } = JSON.parse(readFileSync(document, 'utf8')) as { paths: Record<string, unknown> };
    const types = readFileSync(join(folder, 'marketplace.d.ts'), 'utf8');
    expect(Object.keys(paths).filter((each) => !types.includes(`"${each}": {`))).toEqual([]);
    expect(Object.keys(paths).length).toBeGreaterThan(30);
  });
});
