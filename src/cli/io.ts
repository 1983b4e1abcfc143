import { createColors } from 'picocolors';
import type { Palette } from '../app/narrate.ts';
import type { MakePool } from '../app/sweep/pool.ts';
import type { Clock } from '../domain/clock.ts';
import { type Secret, scrubber } from '../domain/secret.ts';
import type { SharedOptions } from './command.ts';
import { withPlaces } from './hints.ts';
import type { PageOrder, PageThread } from './page-words.ts';

/** Where text leaves the program. */
export interface Outlet {
  write(text: string): void;
  /** The same for a process that must not wait for its reader: what the reader does not take in time is dropped. */
  writeUnawaited?(text: string): void;
  /** Resolves when the reader has taken that, or has had its time. */
  flushed?(): Promise<void>;
  readonly isTerminal: boolean;
  /** Of the terminal, as it is now; undefined where there is none. */
  readonly columns: number | undefined;
  readonly rows?: number | undefined;
}

export type SignalName = 'SIGINT' | 'SIGTERM' | 'SIGHUP' | 'SIGUSR1';

/** What surrounds a command; a test hands in its own. */
export interface Surroundings {
  readonly stdout: Outlet;
  readonly stderr: Outlet;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Absolute. */
  readonly cwd: string;
  readonly clock: Clock;
  /** The process that started this one; another number once that is gone. */
  readonly parent?: (() => number) | undefined;
  /** Asks a person one question; undefined for an answer where they went away. Not there where nobody can be asked. */
  readonly ask?: ((question: string) => Promise<string | undefined>) | undefined;
  /** All of standard input. Not there where there is none. */
  readonly input?: (() => string) | undefined;
  /** Begins the thread that serves the page. Not there where there are no threads. */
  readonly thread?: ((order: PageOrder) => PageThread) | undefined;
  /** Makes the threads that try the variants of a sweep. Not there where there are no threads. */
  readonly sweepers?: MakePool | undefined;
  /** The returned function stops listening. */
  onSignal(name: SignalName, work: () => void): () => void;
}

/** One of the two streams that a command speaks on. */
export interface Voice {
  /** Text as it is; all of it passes the scrub. */
  write(text: string): void;
  /** The same, never waiting for the reader. */
  writeUnawaited(text: string): void;
  /** Resolves when that has been read, or could have been: what is written next comes after it. */
  flushed(): Promise<void>;
  /** Lines for a person, each ended; the next steps in them name what this command was given. */
  line(text?: string): void;
  readonly palette: Palette;
  readonly isTerminal: boolean;
  /** Columns that a table may fill; Infinity where nobody's screen is in the way. */
  readonly width: number;
  /** Lines of the screen; Infinity where nobody's screen is in the way. */
  readonly height: number;
}

export interface Io extends Omit<Surroundings, 'stdout' | 'stderr'> {
  /** Results: what a pipe is to receive. */
  readonly out: Voice;
  /** Everything beside the result: progress, warnings, what went wrong. */
  readonly err: Voice;
  /** What `${NAME}` in a configuration is replaced from: the environment, and what files add to it. */
  readonly variables: Surroundings['env'];
  takeVariables(variables: Surroundings['env']): void;
  /** From now on these appear in no output. */
  hide(secrets: readonly Secret[]): void;
  /** From now on next steps name the configuration and the data folder that were given. */
  follow(given: SharedOptions): void;
  /** A text for a person with its next steps as they must be typed. */
  hinted(text: string): string;
  /** A text that a person typed, to be kept: what is hidden is masked in it. */
  masked(text: string): string;
}

export function createIo(surroundings: Surroundings): Io {
  const { stdout, stderr, ...rest } = surroundings;
  let hidden: readonly Secret[] = [];
  let scrub = scrubber([]);
  let given: SharedOptions = {};
  let variables = rest.env;
  const hinted = (text: string): string => withPlaces(text, given);
  const voice = (outlet: Outlet): Voice => {
    const write = (text: string): void => outlet.write(scrub(text));
    const unawaited = outlet.writeUnawaited?.bind(outlet);
    return {
      write,
      writeUnawaited: unawaited === undefined ? write : (text) => unawaited(scrub(text)),
      flushed: async () => outlet.flushed?.(),
      line: (text = '') => write(`${hinted(text)}\n`),
      palette: paletteOf(outlet.isTerminal && wantsColour(rest.env)),
      isTerminal: outlet.isTerminal,
      get width() {
        return outlet.isTerminal ? (outlet.columns ?? 80) : Infinity;
      },
      get height() {
        return outlet.isTerminal ? (outlet.rows ?? Infinity) : Infinity;
      },
    };
  };
  return {
    ...rest,
    out: voice(stdout),
    err: voice(stderr),
    get variables() {
      return variables;
    },
    takeVariables(all) {
      variables = all;
    },
    hide(secrets) {
      hidden = [...hidden, ...secrets];
      scrub = scrubber(hidden);
    },
    follow({ config, data, envFile, account }) {
      given = { config, data, envFile, account };
    },
    hinted,
    masked: (text) => scrub(text),
  };
}

/** See no-color.org: any value but an empty one asks for none. */
function wantsColour(env: Surroundings['env']): boolean {
  return (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb';
}

function paletteOf(coloured: boolean): Palette {
  const { dim, bold, green, yellow, red } = createColors(coloured);
  return { dim, strong: bold, good: green, warn: yellow, bad: red };
}
