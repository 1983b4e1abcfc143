import { type DestinationStream, pino } from 'pino';
import { printable, printableJson } from '../domain/text.ts';
import type { Log } from '../engine/ports.ts';
import { type Palette, narrate } from './narrate.ts';

export interface LogOptions {
  /** human: sentences for a person; json: pino's lines for programs. */
  readonly format: 'human' | 'json';
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  /** Replaces every secret in a finished line: the last thing before it leaves. */
  readonly scrub: (text: string) => string;
  readonly palette: Palette;
  /** Which of several accounts each line is of; left out: there is one, or it is of all. */
  readonly account?: string | undefined;
  /** Where finished lines go. Must not throw. */
  readonly write: (line: string) => void;
}

/** A log that never throws and never waits. Every line passes the scrub, whatever shape a secret had in it. */
export function createLog(options: LogOptions): Log {
  const logger = pino(
    {
      level: options.level,
      base: options.account === undefined ? undefined : { account: options.account },
      timestamp: pino.stdTimeFunctions.isoTime,
    },
    destinationOf(options),
  );
  const at =
    (level: 'info' | 'warn' | 'error'): Log['info'] =>
    (event, fields) =>
      logger[level]({ event, ...fields });
  return { info: at('info'), warn: at('warn'), error: at('error') };
}

function destinationOf({ format, scrub, palette, write }: LogOptions): DestinationStream {
  return {
    write(line: string) {
      write(scrub(format === 'json' ? printableJson(line) : sentence(line, palette, scrub)));
    },
  };
}

/** 30 warn, 40 warn, 50 error: pino's own numbers. */
const WARN = 40;
const ERROR = 50;

/** Secrets are masked before a text is cut: half a key is a secret too. */
function sentence(line: string, palette: Palette, scrub: LogOptions['scrub']): string {
  const { level, time, event, account, ...fields } = JSON.parse(line) as {
    level: number;
    time: string;
    event: string;
    account?: unknown;
  } & Record<string, unknown>;
  const safe = Object.fromEntries(
    Object.entries(fields).map(([key, value]) => [key, typeof value === 'string' ? printable(scrub(value), 400) : value]),
  );
  const text = narrate(event, safe, palette);
  const of = typeof account === 'string' ? `${palette.dim(`[${account}]`)} ` : '';
  const coloured = level >= ERROR ? palette.bad(text) : level >= WARN ? palette.warn(text) : text;
  return `${palette.dim(`${time.slice(11, 19)}Z`)}  ${of}${coloured}\n`;
}
