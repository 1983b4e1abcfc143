import { cpSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Refused, LeftFolders } from '../../src/app/accounts/left-folders.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { openLedger } from '../../src/ledger/open.ts';
import { damages, killed } from '../ledger/damaged-log.ts';
import { begun, freshFolder, outcomes, raw, settled } from '../ledger/support.ts';
import { NOON } from '../support/values.ts';

/** Does something to the ledger of a folder as one start of Magpie would, and lets go of it. */
function lived(folder: string, account: string | undefined, work: (ledger: Ledger) => void = () => undefined): void {
  mkdirSync(join(folder, '..'), { recursive: true });
  const opened = openLedger({ folder });
  if (!opened.ok) throw new Error(opened.fault.message);
  const { ledger } = opened.value;
  if (account !== undefined) {
    ledger.bindAccount(account);
    ledger.recordBalance({ amount: 1_000_000_000 as never, beganAt: NOON, endedAt: NOON + 1 });
  }
  work(ledger);
  ledger.close();
}

const buys =
  (number: number) =>
  (ledger: Ledger): void =>
    settled(ledger, begun(ledger, number), outcomes.bought(`order-${number}`)) as unknown as void;

const halts =
  (reason: string) =>
  (ledger: Ledger): void =>
    void ledger.halt(reason, 'person', NOON);

interface Scene {
  readonly top: string;
  readonly folder: (name: string) => string;
  /** Of account x with a folder of that name, or the data folder itself; `names`: those of the file, by default that one. */
  readonly asked: (name: string | undefined, bound?: string, names?: readonly string[]) => Refused | undefined;
}

function scene(): Scene {
  const top = freshFolder();
  const folder = (name: string): string => join(top, 'accounts', name);
  return {
    top,
    folder,
    asked(name, bound, names = name === undefined ? [] : [name]) {
      const own = name === undefined ? top : folder(name);
      return new LeftFolders(top, names).refusal('x', { folder: own, bound });
    },
  };
}

/** Made older as an upgrade would find it: the tables of the newest version are not there yet. */
function aged(folder: string, version = 4): void {
  const db = raw(folder);
  db.exec(`DROP TABLE reference_days; DROP TABLE reference_names; PRAGMA user_version = ${version}`);
  db.close();
}

describe('what is left of an account in a folder that the configuration does not have', () => {
  it.each(damages)('keeps it from beginning anew where its log was damaged %s', (_, damage) => {
    const { folder, asked } = scene();
    lived(folder('annika'), undefined);
    killed({ anchored: true, damage, target: folder('anna') });
    expect(asked('annika')).toMatchObject({ exitCode: 1, message: expect.stringContaining(folder('anna')) as string });
  });

  it('keeps it from beginning anew where no start has halted yet for what its ledger has lost', () => {
    const { folder, asked } = scene();
    lived(folder('annika'), undefined);
    lived(folder('anna'), 'y');
    expect(asked('annika')).toBeUndefined();
    writeFileSync(join(folder('anna'), 'magpie.db.forgot'), '');
    expect(asked('annika')).toMatchObject({ exitCode: 1, message: expect.stringContaining('has lost') as string });
  });

  it.each([
    ['what it bought', buys(1)],
    ['a halt', halts('enough')],
  ])('keeps it from beginning anew: %s', (_, work) => {
    const { folder, asked } = scene();
    lived(folder('anna'), 'x', work);
    lived(folder('annika'), undefined);
    expect(asked('annika')).toMatchObject({ exitCode: 2, message: expect.stringContaining(folder('anna')) as string });
    expect(asked('annika')?.next).toContain('rename the old one');
  });

  it('is read whatever the version of its ledger', () => {
    const { folder, asked } = scene();
    lived(folder('anna'), 'x', buys(1));
    lived(folder('annika'), undefined);
    for (const version of [4, 99]) {
      if (version === 4) aged(folder('anna'));
      else raw(folder('anna')).exec('PRAGMA user_version = 99');
      expect(asked('annika')).toMatchObject({ exitCode: 2 });
    }
  });

  it('is found below the data folder of an account that is alone now, and above one that was alone before', () => {
    const back = scene();
    lived(back.folder('anna'), 'x', buys(1));
    lived(back.top, undefined);
    expect(back.asked(undefined)?.next).toContain(`to ${back.top}, in the place of what is there`);
    const first = scene();
    lived(first.top, 'x', buys(1));
    lived(first.folder('anna'), undefined);
    expect(first.asked('anna')?.next).toContain(`to ${first.folder('anna')}, in the place of what is there`);
  });

  it('counts also where the new folder has become its own already', () => {
    const { folder, asked } = scene();
    lived(folder('anna'), 'x', halts('enough'));
    lived(folder('annika'), 'x', buys(2));
    expect(asked('annika', 'x')).toMatchObject({ exitCode: 2, next: expect.stringContaining('look at both') as string });
  });

  it('closes buying while it cannot be read, and no longer', () => {
    const { folder, asked } = scene();
    lived(folder('anna'), 'x', buys(1));
    const broken = folder('given-up');
    mkdirSync(broken, { mode: 0o700 });
    writeFileSync(join(broken, 'magpie.db'), 'no database at all '.repeat(300), { mode: 0o600 });
    for (const bound of ['x', undefined]) {
      const refused = asked('anna', bound);
      expect(refused).toMatchObject({ exitCode: 1, next: expect.stringContaining('move its magpie.db') as string });
      expect(refused?.message).toContain(`is in ${broken} cannot be read: `);
    }
    const left = new LeftFolders(join(folder('anna'), '../..'), ['anna']);
    const own = { folder: folder('anna'), bound: 'x' };
    expect(left.refusal('x', own)).toBeDefined();
    rmSync(broken, { recursive: true });
    expect(left.refusal('x', own)).toBeUndefined();
  });

  it('closes buying where nobody can say which folders there are, or a restore has not ended', () => {
    const closed = scene();
    lived(closed.top, 'x');
    symlinkSync('accounts', join(closed.top, 'accounts'));
    expect(closed.asked(undefined, 'x')).toMatchObject({ exitCode: 1 });
    const looped = scene();
    lived(looped.folder('anna'), 'x');
    symlinkSync('lost', looped.folder('lost'));
    expect(looped.asked('anna', 'x')).toMatchObject({ exitCode: 1 });
    const { folder, asked } = scene();
    lived(folder('anna'), 'y');
    lived(folder('carl'), 'x');
    writeFileSync(join(folder('anna'), 'magpie.db.restoring'), '{}');
    expect(asked('carl', 'x')).toMatchObject({ exitCode: 1 });
  });

  it('may be a halt from before the first answer of the service, which is then for whoever is new', () => {
    const { folder, asked } = scene();
    lived(folder('anna'), undefined, halts('not yet'));
    lived(folder('annika'), undefined);
    expect(asked('annika')).toMatchObject({ exitCode: 2, message: expect.stringContaining('not yet') as string });
    expect(asked('annika', 'x')).toBeUndefined();
    // Halted with it, and so in nobody's way.
    lived(folder('annika'), undefined, halts('not yet'));
    expect(asked('annika')).toBeUndefined();
  });
});

describe('a sound set-up is not shut', () => {
  it('where nothing has run yet, an account is alone, or each has its folder', () => {
    const fresh = scene();
    lived(fresh.top, undefined);
    expect(fresh.asked(undefined)).toBeUndefined();
    const alone = scene();
    lived(alone.top, 'x', buys(1));
    expect(alone.asked(undefined, 'x')).toBeUndefined();
    const { folder, asked } = scene();
    lived(folder('anna'), 'x', buys(1));
    lived(folder('bert'), 'y', halts('enough'));
    expect(asked('anna', 'x', ['anna', 'bert'])).toBeUndefined();
  });

  it('where an account was removed on purpose, has bought nothing, or its folder is empty', () => {
    const { folder, asked } = scene();
    lived(folder('anna'), 'x', buys(1));
    lived(folder('bert'), 'y', buys(2));
    lived(folder('tried'), 'x');
    mkdirSync(folder('empty'));
    writeFileSync(join(folder('empty'), '../notes.txt'), 'of the operator');
    // As of a file system that has been mounted there, and only root may look into.
    symlinkSync('lost+found', folder('lost+found'));
    expect(asked('anna', 'x')).toBeUndefined();
    lived(folder('new'), undefined);
    expect(new LeftFolders(join(folder('new'), '../..'), ['anna', 'new']).refusal('z', own(folder('new')))).toBeUndefined();
  });

  it('where only an empty log and its index lie where a ledger was moved away from', () => {
    const { top, folder, asked } = scene();
    lived(folder('anna'), undefined);
    mkdirSync(folder('gone'), { recursive: true });
    for (const place of [top, folder('gone')]) {
      writeFileSync(join(place, 'magpie.db-wal'), '');
      writeFileSync(join(place, 'magpie.db-shm'), 'the index of what was there');
    }
    expect(asked('anna')).toBeUndefined();
    writeFileSync(join(top, 'magpie.db-wal'), 'rows of a ledger that is not there');
    expect(asked('anna')).toMatchObject({ exitCode: 1 });
  });

  it('where a ledger beside several accounts was never any account’s, though a halt of all stands in it', () => {
    const { top, folder, asked } = scene();
    lived(top, undefined, halts('stop all'));
    lived(folder('anna'), undefined);
    expect(asked('anna', undefined, ['anna', 'bert'])).toBeUndefined();
    lived(folder('left'), undefined, halts('stop that one'));
    expect(asked('anna', undefined, ['anna', 'bert'])).toMatchObject({ exitCode: 2 });
  });

  it('where what is left is a copy of what the account goes on with, halted together with it or resumed since', () => {
    const { top, folder, asked } = scene();
    lived(top, 'x', buys(1));
    cpSync(join(top, 'magpie.db'), join(top, 'copy.db'));
    lived(folder('anna'), undefined);
    renameSync(join(top, 'copy.db'), join(folder('anna'), 'magpie.db'));
    expect(asked('anna', 'x')).toBeUndefined();
    lived(top, 'x', halts('stop all'));
    expect(asked('anna', 'x')).toMatchObject({ exitCode: 2 });
    lived(folder('anna'), 'x', (ledger) => {
      buys(2)(ledger);
      ledger.halt('stop all', 'person', NOON + 5);
      ledger.resume(NOON + 10);
    });
    expect(asked('anna', 'x')).toBeUndefined();
  });
});

const own = (folder: string): { folder: string; bound: undefined } => ({ folder, bound: undefined });
