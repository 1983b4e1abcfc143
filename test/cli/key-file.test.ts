import type * as Fs from 'node:fs';
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { Secret } from '../../src/domain/secret.ts';
import { freshFolder } from '../e2e/fresh-folder.ts';

const system = vi.hoisted(() => ({ link: undefined as string | undefined, rename: undefined as string | undefined }));

vi.mock('node:fs', async (original) => {
  const fs = await original<typeof Fs>();
  const failing = (code: string): Error => Object.assign(new Error(`${code}: the file system says no`), { code });
  const linkSync: typeof fs.linkSync = (...names) => {
    if (system.link !== undefined) throw failing(system.link);
    fs.linkSync(...names);
  };
  const renameSync: typeof fs.renameSync = (...names) => {
    if (system.rename !== undefined) throw failing(system.rename);
    fs.renameSync(...names);
  };
  return { ...fs, linkSync, renameSync };
});

const { roomForKey } = await import('../../src/cli/key-file.ts');

describe('a key that is shown once', () => {
  it.each([undefined, 'EPERM', 'ENOTSUP'])('is kept for its owner alone, where links are refused with %s too', (code) => {
    const folder = freshFolder();
    Object.assign(system, { link: code, rename: undefined });
    const room = roomForKey(join(folder, 'a.env'));
    const path = room.keep('MAGPIE_API_KEY', new Secret('the-only-copy'));
    room.release();
    expect([readFileSync(path, 'utf8'), statSync(path).mode & 0o777]).toEqual(['MAGPIE_API_KEY=the-only-copy\n', 0o600]);
    expect(readdirSync(folder)).toEqual(['a.env']);
  });

  it('is left where it was written, and that is said, where it can be given no name', () => {
    const folder = freshFolder();
    Object.assign(system, { link: 'EIO', rename: 'EIO' });
    const room = roomForKey(join(folder, 'a.env'));
    expect(() => room.keep('MAGPIE_API_KEY', new Secret('the-only-copy'))).toThrow(
      /could not be kept as it should.*a\.env\.\d+\.part/,
    );
    room.release();
    const [left = ''] = readdirSync(folder);
    expect(readFileSync(join(folder, left), 'utf8')).toBe('MAGPIE_API_KEY=the-only-copy\n');
  });

  it('leaves no room behind where none came', () => {
    const folder = freshFolder();
    roomForKey(join(folder, 'a.env')).release();
    expect(readdirSync(folder)).toEqual([]);
  });
});
