import { createHash } from 'node:crypto';
import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EpochMs } from '../domain/clock.ts';
import { codeOf } from '../ledger/failure.ts';
import { prepareFolder, syncFolder } from '../ledger/folder.ts';

/** A child key as the service last told of it; never the key itself. */
export interface KnownChild {
  readonly email: string;
  readonly apiKeyId: string | null;
  readonly name: string | null;
  /** active, suspended, deleted, or what else the service says. */
  readonly status: string | null;
  /** Where its key was written when it was made; null: elsewhere. */
  readonly keyFile: string | null;
  readonly toldAt: EpochMs;
}

const FOLDER = 'magpie.children';

/**
 * Notes what the service told of a child: the API lists none, so what this folder has made or asked after is all that can be shown. A
 * file each, under its name once it is whole. What was known of its key's file stays known. Throws what the file system says.
 */
export function noteChild(data: string, told: KnownChild): void {
  const fault = prepareFolder(data);
  if (fault) throw new Error(fault.message);
  const folder = join(data, FOLDER);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, `${createHash('sha256').update(told.email.toLowerCase()).digest('hex').slice(0, 40)}.json`);
  const keyFile = told.keyFile ?? childIn(path)?.keyFile ?? null;
  const part = `${path}.${process.pid}.part`;
  rmSync(part, { force: true });
  const file = openSync(part, 'wx', 0o600);
  try {
    writeFileSync(file, `${JSON.stringify({ ...told, keyFile }, null, 2)}\n`);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(part, path);
  syncFolder(folder);
}

/** The children that were noted, by address; what cannot be read is named in `unreadable`. */
export function knownChildren(data: string): {
  readonly children: readonly KnownChild[];
  readonly unreadable: readonly string[];
} {
  const paths = filesIn(join(data, FOLDER));
  const read = paths.map((path) => ({ path, child: childIn(path) }));
  const children = read.flatMap(({ child }) => child ?? []).sort((a, b) => a.email.localeCompare(b.email, 'en'));
  return { children, unreadable: read.filter(({ child }) => child === undefined).map(({ path }) => path) };
}

function filesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.json'))
      .map((name) => join(folder, name));
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  }
}

function childIn(path: string): KnownChild | undefined {
  try {
    const found = JSON.parse(readFileSync(path, 'utf8')) as Partial<Record<keyof KnownChild, unknown>> | null;
    if (typeof found?.email !== 'string' || typeof found.toldAt !== 'number') return undefined;
    const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);
    const { email, toldAt, apiKeyId, name, status, keyFile } = found;
    return { email, toldAt, apiKeyId: text(apiKeyId), name: text(name), status: text(status), keyFile: text(keyFile) };
  } catch {
    // Not there, or no JSON: whoever lists them says which.
    return undefined;
  }
}
