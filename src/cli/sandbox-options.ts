import { mkdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  type ExchangeFaultRates,
  exchangeFaultNames,
  faultRatesFromText,
  isExchangeFaultName,
} from '../domain/exchange-fault.ts';
import { nearest } from '../domain/nearest.ts';
import { printable } from '../domain/text.ts';
import { type GivenAccount, readGivenAccounts } from '../sandbox/given-accounts.ts';
import { whyUnreadable } from '../settings/text-file.ts';
import { CommandFailure, exits } from './exit.ts';

/** The data folder, made when it is missing. */
export function wholeFolder(folder: string, cwd: string): string {
  const path = resolve(cwd, folder);
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    return path;
  } catch (error) {
    throw wrong(`--data ${folder}`, error);
  }
}

/** The text of a saved answer. */
export function snapshotText(file: string, cwd: string): string {
  return textOf('--snapshot', file, cwd);
}

/** Accounts from the JSON of a file. */
export function accountsIn(file: string, cwd: string): readonly GivenAccount[] {
  const text = textOf('--accounts', file, cwd);
  try {
    return readGivenAccounts(text);
  } catch (error) {
    throw wrong(`--accounts ${file}`, error);
  }
}

/** The one line of a file that signs events. */
export function signatureText(file: string, cwd: string): string {
  const text = textOf('--webhook-signed-by', file, cwd).trim();
  if (text !== '') return text;
  throw new CommandFailure(exits.wrong, `--webhook-signed-by ${printable(file, 300)}: the file is empty`);
}

function textOf(option: string, file: string, cwd: string): string {
  try {
    return readFileSync(resolve(cwd, file), 'utf8');
  } catch (error) {
    throw unread(`${option} ${file}`, error);
  }
}

/** Rates of faults from `name=rate,…`, or from a file with one `name: rate` (or `name=rate`) a line and comments after #. */
export function sandboxFaults(given: string, cwd: string): Partial<ExchangeFaultRates> {
  const entries = given.includes('=') ? given : entriesOf(given, cwd);
  const rates = faultRatesFromText(entries);
  if (typeof rates !== 'string') return rates;
  const names = entries.split(',').map((entry) => (entry.split('=', 1)[0] ?? '').trim());
  const stranger = names.find((name) => name !== '' && name !== 'all' && !isExchangeFaultName(name));
  const near = stranger === undefined ? undefined : nearest(stranger, exchangeFaultNames);
  throw new CommandFailure(
    exits.wrong,
    `--faults: ${printable(rates, 3_000)}${near === undefined ? '' : `\nDid you mean ${near}?`}`,
  );
}

function entriesOf(file: string, cwd: string): string {
  return textOf('--faults', file, cwd)
    .replace(/#.*$/gm, '')
    .replace(/["{}]/g, '')
    .replace(/:/g, '=')
    .replace(/[\r\n]+/g, ',');
}

function wrong(what: string, error: unknown): CommandFailure {
  return new CommandFailure(exits.wrong, `${printable(what, 300)}: ${error instanceof Error ? error.message : String(error)}`);
}

function unread(what: string, error: unknown): CommandFailure {
  const { message, suggestion } = whyUnreadable(error, 'file');
  const next = suggestion === undefined ? '' : ` → ${suggestion}`;
  return new CommandFailure(exits.wrong, `${printable(what, 300)}: ${message}${next}`);
}
