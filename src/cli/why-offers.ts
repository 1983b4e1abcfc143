import { readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { EpochMs } from '../domain/clock.ts';
import { printable } from '../domain/text.ts';
import type { ListingHistory } from '../replay/tape-reader.ts';
import { TapeReader } from '../replay/tape-reader.ts';
import { whyUnreadable } from '../settings/text-file.ts';
import { CommandFailure, exits } from './exit.ts';
import { RECORDING_FILE } from './recording-file.ts';

/** A listing that somebody asks about: what the service said of it, and what the recording knows. */
export interface Offer {
  /** The entry as the service sent it, newest version; undefined when nobody has kept it. */
  readonly raw: unknown;
  /** From the recording; undefined for an entry of a file. */
  readonly history: ListingHistory | undefined;
  /** Where no answer of the live listings has shown it: when a look at its watched item last showed something new of it. */
  readonly sightAt?: EpochMs;
}

/** A saved answer larger than any the service gives. */
const BYTES_MAX = 128 * 1_024 * 1_024;

/** What the recording knows of a listing id, newest sight first: one for each market that had it, none where nobody saw it. */
export function offersOnTape(folder: string, id: string, market: string | undefined): readonly Offer[] {
  const path = join(folder, RECORDING_FILE);
  if (statSync(path, { throwIfNoEntry: false }) === undefined) return [];
  const { histories, sights } = onTape(path, (tape) => {
    const found = tape.findListing(id, market);
    return { histories: found, sights: found.length > 0 ? [] : tape.sightsOf(id, market) };
  });
  if (histories.length === 0) return sights.map(({ at, raw }) => ({ history: undefined, raw, sightAt: at }));
  return histories
    .toSorted((a, b) => b.lastSeenAt - a.lastSeenAt)
    .map((history) => ({ history, raw: history.events.findLast((event) => event.raw !== undefined)?.raw }));
}

function onTape<T>(path: string, ask: (tape: TapeReader) => T): T {
  let tape: TapeReader | undefined;
  try {
    tape = new TapeReader(path);
    return ask(tape);
  } catch (error) {
    throw new CommandFailure(
      exits.failed,
      `The recording cannot be read: ${String(error instanceof Error ? error.message : error)} (${path})`,
    );
  } finally {
    tape?.close();
  }
}

export interface FileOffers {
  readonly offers: readonly Offer[];
  /** The file holds one listing by itself, no list. */
  readonly single: boolean;
}

/** The listings of a JSON file: one listing, a list of them, or a whole saved answer of the live listings. */
export function offersOfFile(file: string, cwd: string): FileOffers {
  const value = parsed(resolve(cwd, file), file);
  const data = field(value, 'data') ?? value;
  const list = Array.isArray(data) ? (data as unknown[]) : field(data, 'listings');
  if (!Array.isArray(list)) return { offers: [{ raw: data, history: undefined }], single: true };
  return { offers: list.map((raw: unknown) => ({ raw, history: undefined })), single: false };
}

function parsed(path: string, shown: string): unknown {
  const wrong = (what: string): CommandFailure => new CommandFailure(exits.wrong, `--listing ${printable(shown, 300)} ${what}`);
  let text: string;
  try {
    if (statSync(path).size > BYTES_MAX) throw wrong('is larger than any answer of the service.');
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof CommandFailure) throw error;
    const { message, suggestion } = whyUnreadable(error, 'file');
    throw wrong(`cannot be read: ${message}${suggestion === undefined ? '' : ` → ${suggestion}`}`);
  }
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw wrong(`is no JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** A text field of an entry, whatever the entry is. */
export function textOf(raw: unknown, name: string): string | undefined {
  const value = field(raw, name);
  return typeof value === 'string' ? value : undefined;
}

function field(value: unknown, name: string): unknown {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
}
