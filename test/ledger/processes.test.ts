import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Secret } from '../../src/domain/secret.ts';
import { type LockResult, acquireFolderLock, acquireKeyLock, acquireLock } from '../../src/ledger/lock.ts';
import { NOON } from '../support/values.ts';
import { freshFolder, opened } from './support.ts';

function child(...args: string[]): ChildProcess {
  const process_ = spawn(process.execPath, ['--import', 'tsx', fileURLToPath(new URL('./child.ts', import.meta.url)), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void process_.kill('SIGKILL'));
  return process_;
}

async function firstLine(of: ChildProcess): Promise<string> {
  const [chunk] = (await once(of.stdout!, 'data')) as [Buffer];
  return chunk.toString().trim();
}

function held(result: LockResult): boolean {
  if (result.ok) result.lock.release();
  return !result.ok && result.held;
}

describe('a process that is killed without warning', () => {
  it.each([
    ['intent:begin', ['bought', 'bought'], '[P1 P2 P3 P4]'],
    ['intent:1', ['bought', 'bought'], '[P8]'],
    ['intent:commit', ['bought', 'bought'], '[P8]'],
    ['intent:committed', ['bought', 'bought', 'unknown'], '[P5 P6]'],
    ['outcome:3', ['bought', 'bought', 'unknown'], '[P7]'],
    ['outcome:committed', ['bought', 'bought', 'bought'], '[P7]'],
  ])('at %s leaves whole purchases only (%j) %s', async (point, states) => {
    const folder = freshFolder();
    const process_ = child('work', folder, point);
    let said = '';
    process_.stdout!.on('data', (chunk: Buffer) => (said += chunk.toString()));
    const [, signal] = (await once(process_, 'close')) as [number | null, string | null];
    expect({ signal, said }).toMatchObject({ signal: 'SIGKILL' });
    const ledger = opened(folder);
    ledger.orphansToUnknown(NOON + 99);
    const found = [...ledger.everyPurchase()].map(({ state }) => state);
    expect(found).toEqual(states);
    expect(found.length, 'what was said to be committed is there').toBeGreaterThanOrEqual(said.match(/intended/g)?.length ?? 0);
    for (const { id, state } of ledger.everyPurchase()) expect(ledger.evidenceOf(id).at(-1)?.to).toBe(state);
  });
});

describe('the locks', () => {
  it('of folder and key are held against another process until it dies, however it dies [P12 transport-3]', async () => {
    const folder = freshFolder();
    const key = new Secret(`key of ${folder}`);
    const other = child('hold', folder, key.reveal());
    expect(await firstLine(other)).toBe('held');
    expect(held(acquireFolderLock(folder))).toBe(true);
    expect(held(acquireKeyLock(key, process.env))).toBe(true);
    expect(held(acquireKeyLock(new Secret(`another key of ${folder}`), process.env)), 'another key is free').toBe(false);
    other.kill('SIGKILL');
    await once(other, 'close');
    const [one, two] = [acquireFolderLock(folder), acquireKeyLock(key, process.env)];
    expect([one.ok, two.ok]).toEqual([true, true]);
    expect(held(acquireFolderLock(folder)), 'within a process, too').toBe(true);
    for (const result of [one, two]) if (result.ok) result.lock.release();
    expect(held(acquireFolderLock(folder))).toBe(false);
  });

  it('do not keep readers and short writers from the ledger', () => {
    const folder = freshFolder();
    const lock = acquireFolderLock(folder);
    const ledger = opened(folder);
    ledger.halt('x', 'person', NOON);
    expect(ledger.halted()?.reason).toBe('x');
    if (lock.ok) lock.lock.release();
  });

  it('of a key meet in the temporary folder, whatever runtime folder a session has', () => {
    const runtime = freshFolder();
    mkdirSync(runtime);
    const key = new Secret(`key of ${runtime}`);
    const one = acquireKeyLock(key, { XDG_RUNTIME_DIR: runtime });
    expect(one.ok).toBe(true);
    expect(held(acquireKeyLock(key, {}))).toBe(true);
    expect(held(acquireKeyLock(key, { XDG_RUNTIME_DIR: join(runtime, 'gone') }))).toBe(true);
    if (one.ok) one.lock.release();
    expect(held(acquireKeyLock(key, {}))).toBe(false);
  });

  it('are files that only their owner may read and that name no key [S33]', () => {
    const folder = freshFolder();
    const lock = acquireFolderLock(folder);
    expect(statSync(join(folder, 'magpie.lock')).mode & 0o777).toBe(0o600);
    if (lock.ok) lock.lock.release();
  });

  it('cannot be taken where nobody can say: then nothing runs [S33]', () => {
    const folder = freshFolder();
    mkdirSync(folder);
    const path = join(folder, 'magpie.lock');
    symlinkSync(join(folder, 'elsewhere'), path);
    expect(acquireLock(path, 'it')).toMatchObject({ ok: false, held: false, fault: { kind: 'link' } });
    rmSync(path);
    writeFileSync(path, 'garbage '.repeat(200));
    expect(acquireLock(path, 'it')).toMatchObject({ ok: false, held: false, fault: { kind: 'damaged' } });
    expect(acquireLock(join(folder, 'no', 'such', 'folder'), 'it')).toMatchObject({ ok: false, held: false });
  });
});
