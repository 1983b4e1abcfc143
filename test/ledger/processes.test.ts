import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
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

  it('of a key meet in a shared folder, whatever temporary and runtime folders two processes have', () => {
    const [shared, one, two] = [freshFolder(), freshFolder(), freshFolder()];
    for (const folder of [shared, one, two]) mkdirSync(folder);
    const key = new Secret(`key of ${shared}`);
    onTestFinished(() => void vi.unstubAllEnvs());
    vi.stubEnv('TMPDIR', one);
    const first = acquireKeyLock(key, {}, [shared]);
    vi.stubEnv('TMPDIR', two);
    expect(held(acquireKeyLock(key, {}, [shared]))).toBe(true);
    if (first.ok) first.lock.release();
    expect(
      [shared, one, two].flatMap((folder) => readdirSync(folder)),
      'nothing is left',
    ).toEqual([]);
    expect(held(acquireKeyLock(key, {}, [shared, join(shared, 'gone')]))).toBe(false);
  });

  it('of a key are one where two names lead to one folder', () => {
    const folder = freshFolder();
    mkdirSync(folder);
    symlinkSync(folder, `${folder}-link`);
    onTestFinished(() => void vi.unstubAllEnvs());
    vi.stubEnv('TMPDIR', folder);
    const lock = acquireKeyLock(new Secret(`key of ${folder}`), { XDG_RUNTIME_DIR: `${folder}-link` }, [folder]);
    expect(lock.ok).toBe(true);
    if (lock.ok) lock.lock.release();
  });

  it('are taken again when their files were removed or replaced, or lost to who was there first', () => {
    const folder = freshFolder();
    mkdirSync(folder);
    const path = join(folder, 'some.lock');
    const mine = acquireLock(path, 'it');
    if (!mine.ok) throw new Error(mine.fault.message);
    expect(mine.lock.keep()).toBeUndefined();
    rmSync(path);
    expect(mine.lock.keep()).toBeUndefined();
    expect(held(acquireLock(path, 'it')), 'the new file is locked').toBe(true);
    rmSync(path);
    const other = acquireLock(path, 'it');
    expect(other.ok).toBe(true);
    expect(mine.lock.keep()?.message).toContain('another process is at work with it');
    if (other.ok) other.lock.release();
    expect(mine.lock.keep()).toBeUndefined();
    expect(held(acquireLock(path, 'it'))).toBe(true);
    mine.lock.release();
  });

  it.runIf(process.getuid?.() === 0)('of another user counts as held by them', () => {
    const folder = freshFolder();
    mkdirSync(folder, { mode: 0o755 });
    chmodSync(join(folder, '..'), 0o755);
    const path = join(folder, 'some.lock');
    writeFileSync(path, '', { mode: 0o600 });
    onTestFinished(() => process.seteuid?.(0));
    process.seteuid?.(65_534);
    const result = acquireLock(path, 'this key');
    process.seteuid?.(0);
    expect(result).toMatchObject({ ok: false, held: true, fault: { kind: 'busy' } });
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
