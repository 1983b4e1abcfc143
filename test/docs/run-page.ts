import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SystemClock } from '../../src/app/system-clock.ts';
import { type RunningSandbox, startSandbox } from '../../src/sandbox/start.ts';
import { type Block, type Page, type SessionKind, commandsOf } from './page.ts';
import { Session } from './session.ts';
import { valueOf, withWords } from './words.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Whether a page has anything that is run. */
export function hasCommands({ blocks }: Page): boolean {
  return blocks.some((block) => block.marks.notRun === undefined && commandsOf(block) !== undefined);
}

/**
 * Runs the blocks of a page in their order, as one session in a fresh folder, with an exchange of its own that the variables MAGPIE_…
 * name (a `bare` one has neither). Gives what was wrong: nothing, or the first block that did not end as it should, with its place and what it said.
 */
export async function runPage(page: Page): Promise<string[]> {
  const base = mkdtempSync(join(tmpdir(), 'magpie-docs-'));
  const exchange = page.session === 'bare' ? undefined : await openExchange(page.path);
  const session = new Session(base, exchange === undefined ? {} : variablesOf(exchange));
  try {
    furnish(session.folder, page.session);
    const wrong = await runBlocks(page, session);
    return wrong === undefined ? [] : [wrong];
  } finally {
    session.kill();
    await exchange?.close();
    rmSync(base, { recursive: true, force: true, maxRetries: 5 });
  }
}

function variablesOf({ baseUrl, childKey, topLevelKey, tradeUrl }: RunningSandbox): Record<string, string> {
  return { MAGPIE_BASE_URL: baseUrl, MAGPIE_API_KEY: childKey, MAGPIE_PARTNER_KEY: topLevelKey, MAGPIE_TRADE_URL: tradeUrl };
}

async function runBlocks(page: Page, session: Session): Promise<string | undefined> {
  const words = new Map<string, string>();
  for (const block of page.blocks) {
    const wrong = await runBlock(block, session, words).catch((error: unknown) => (error as Error).message);
    if (wrong !== undefined) return `${page.path}:${block.line} ${wrong}`;
  }
  return session.stop().then(
    () => undefined,
    (error: unknown) => `${page.path} at its end: ${(error as Error).message}`,
  );
}

async function runBlock(block: Block, session: Session, words: Map<string, string>): Promise<string | undefined> {
  const { notRun, stopFirst, background, endsWith = 0, file, appendedTo } = block.marks;
  if (notRun !== undefined) return undefined;
  if (stopFirst) await session.stop();
  for (const [word, source] of block.marks.words ?? []) words.set(word, await valueOf(source, session.base));
  const target = file ?? appendedTo;
  if (target !== undefined) {
    const { code, output } = await session.write(target, block.text, file === undefined);
    if (code !== 0) return `could not be written to ${target}: ${output}`;
  }
  const typed = commandsOf(block);
  if (typed === undefined) return undefined;
  const commands = withWords(typed, words);
  if (background !== undefined) {
    await session.background(commands, background);
    return undefined;
  }
  const { code, output } = await session.run(commands);
  return code === endsWith ? undefined : `ended with ${String(code)}, not ${endsWith}:\n${commands}\n${output.slice(-4_000)}`;
}

/** A market of its own for each page, so that no two share a key, whose lock stands for the whole machine. */
function openExchange(path: string): Promise<RunningSandbox> {
  const seed = createHash('sha256').update(`${path} ${process.pid} ${Date.now()}`).digest().readUInt32BE() % 2 ** 31;
  const faults = { orderFails: 0, orderReverts: 0, healthDegraded: 0, healthDown: 0 };
  return startSandbox({ seed, faults, clock: new SystemClock() });
}

const strategy = `name: small-change
when: { name: "*" }
price: { max: 2 }
`;

/** A configuration that buys, as a reader has it who has been through the tutorial. */
const account = `service: { baseUrl: "\${MAGPIE_BASE_URL}" }
account: { apiKey: "\${MAGPIE_API_KEY}", partnerKey: "\${MAGPIE_PARTNER_KEY:-}", tradeUrl: "\${MAGPIE_TRADE_URL:-}" }
limits: { maxPrice: 5, spend: { day: 50 } }
strategies: ./strategies
data: ./data
mode: live
`;

/** Lays into the folder what a page takes for granted. */
function furnish(folder: string, kind: SessionKind): void {
  if (kind === 'checkout') {
    for (const name of ['config', 'schemas', 'strategies']) cpSync(join(root, name), join(folder, name), { recursive: true });
  } else if (kind === 'account') {
    mkdirSync(join(folder, 'strategies'));
    writeFileSync(join(folder, 'live.yaml'), account, { mode: 0o600 });
    writeFileSync(join(folder, 'strategies', 'small-change.yaml'), strategy);
  }
}
