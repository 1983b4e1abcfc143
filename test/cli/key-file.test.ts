import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { roomForKey } from '../../src/cli/key-file.ts';
import { Secret } from '../../src/domain/secret.ts';
import { nameForGood } from '../../src/ledger/folder.ts';
import { freshFolder } from '../e2e/fresh-folder.ts';

/** As a file system says no. */
const refusing = (code: string) => (): never => {
  throw Object.assign(new Error(`${code}: the file system says no`), { code });
};

describe('a key that is shown once', () => {
  it.each([undefined, 'EPERM', 'ENOTSUP'])('is kept for its owner alone, where links are refused with %s too', (code) => {
    const folder = freshFolder();
    const link = code === undefined ? undefined : refusing(code);
    const room = roomForKey(join(folder, 'a.env'), (part, target) => nameForGood(part, target, link));
    const path = room.keep('MAGPIE_API_KEY', new Secret('the-only-copy'));
    room.release();
    expect([readFileSync(path, 'utf8'), statSync(path).mode & 0o777]).toEqual(['MAGPIE_API_KEY=the-only-copy\n', 0o600]);
    expect(readdirSync(folder)).toEqual(['a.env']);
  });

  it('is left where it was written, and that is said, where it can be given no name', () => {
    const folder = freshFolder();
    const room = roomForKey(join(folder, 'a.env'), refusing('EIO'));
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
