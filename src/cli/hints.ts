import { printable } from '../domain/text.ts';
import type { SharedOptions } from './command.ts';

/** A command where a text names it as a next step: in backquotes, behind an arrow, or on an indented line of its own. */
const HINT =
  /(`|→ |^ {4})magpie (run|why|status|purchases|backtest|sweep|buy|reconcile|audit|resolve|halt|resume|check|backup|restore|export|doctor|ledger|treasury [a-z]+|partner [a-z]+)\b(?![^`\n]*--(?:config|data)\b)(?=([^`\n]*))/gm;

/** Commands that act on no single account. */
const OF_ALL = /^(?:run|check|ledger|treasury .*|partner .*)$/;

/**
 * Next steps as they must be typed: with the configuration and the data folder that were given to this command, since without them
 * they would act on another one.
 */
export function withPlaces(text: string, { config, data, envFile, account }: SharedOptions): string {
  if ([config, data, envFile, account].every((given) => given === undefined)) return text;
  return text.replace(HINT, (_, before: string, command: string, rest: string) => {
    const isNamed = account === undefined || OF_ALL.test(command) || /--account\b/.test(rest);
    const places = [
      ...(config === undefined ? [] : ['--config', quoted(config, 'FILE')]),
      ...(envFile === undefined ? [] : ['--env-file', quoted(envFile, 'FILE')]),
      ...(isNamed ? [] : ['--account', quoted(account, 'NAME')]),
      ...(data === undefined || command === 'check' ? [] : ['--data', quoted(data, 'DIR')]),
    ];
    return [`${before}magpie`, command, ...places].join(' ');
  });
}

/** As a shell takes it for one word. What a terminal must not be shown is not shown as something to be typed either. */
export function quoted(path: string, what: string): string {
  if (printable(path, 500) !== path) return what;
  return /^[\w@%+=:,./~-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
