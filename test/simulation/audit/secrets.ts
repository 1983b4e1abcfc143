import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Lived } from '../lived.ts';
import { type Violation, violation } from '../violation.ts';

type Keeper = {
  readonly sandbox: Pick<Lived['sandbox'], 'topLevelKey' | 'childKeys' | 'tradeUrl'>;
  readonly log: Pick<Lived['log'], 'lines'>;
  readonly storage: Pick<Lived['storage'], 'folder'>;
};

/**
 * Invariant 11: neither a key nor the token of the trade URL stands in anything that a life has written: what it said, and every byte of
 * its folder (rows, alerts, answers that were kept, what was deleted and not written over yet).
 */
export function secretViolations({ sandbox, log, storage }: Keeper): Violation[] {
  const secrets = secretsOf(sandbox);
  const said = log.lines.flatMap((line) => {
    const text = JSON.stringify(line);
    return secrets
      .filter(({ value }) => text.includes(value))
      .map(({ name }) => violation('secret', `${name} is in a line of the log: ${line.event}`, { at: line.at }));
  });
  const written = filesIn(storage.folder).flatMap((file) => {
    const bytes = readFileSync(join(storage.folder, file));
    return secrets
      .filter(({ value }) => bytes.includes(value))
      .map(({ name }) => violation('secret', `${name} is in the file ${file}`));
  });
  return [...said, ...written];
}

interface Secret {
  readonly name: string;
  readonly value: string;
}

function secretsOf({ topLevelKey, childKeys, tradeUrl }: Keeper['sandbox']): readonly Secret[] {
  const all = [
    { name: 'the top-level key', value: topLevelKey },
    ...childKeys.map((value, place) => ({ name: `the key of child ${place + 1}`, value })),
    { name: 'the token of the trade URL', value: new URL(tradeUrl).searchParams.get('token') ?? '' },
  ];
  const odd = all.find(({ value }) => value.length < 6);
  if (odd !== undefined) throw new RangeError(`${odd.name} is too short to be looked for`);
  return all;
}

function filesIn(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
}
