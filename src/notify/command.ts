import { type ChildProcess, spawn } from 'node:child_process';
import { sleep } from '../domain/clock.ts';
import { printable } from '../domain/text.ts';
import type { Channel, ChannelSurroundings, Sent } from './channel.ts';
import { harmlessForPrograms } from './harmless.ts';
import { letterJson, textOf } from './letter.ts';
import { PROGRAM_TEXT_MAX } from './webhook.ts';

/** A command that takes longer is ended. */
const DEADLINE_MS = 30_000;

/** What a command is given of the environment: keys of Magpie are not among it. */
const passedOn = [
  'PATH',
  'HOME',
  'USER',
  'LANG',
  'LC_ALL',
  'TZ',
  'TMPDIR',
  'XDG_RUNTIME_DIR',
  'DBUS_SESSION_BUS_ADDRESS',
] as const;

/** A program that the user names, started without a shell; the letter comes as JSON on its input, and nothing of it as an argument. */
export function commandChannel(run: readonly string[], { clock, env }: ChannelSurroundings): Channel {
  const [program = '', ...args] = run;
  const given = Object.fromEntries(passedOn.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])));
  return {
    name: 'command',
    async send(letter, signal) {
      const input = JSON.stringify(letterJson(letter, textOf(letter, harmlessForPrograms, PROGRAM_TEXT_MAX), clock.wall()));
      const timer = new AbortController();
      const child = start(program, args, given);
      if ('ok' in child) return child;
      const stop = (): void => void child.kill('SIGKILL');
      signal.addEventListener('abort', stop, { once: true });
      if (signal.aborted) stop();
      let late = false;
      void sleep(clock, DEADLINE_MS, timer.signal).then(() => {
        if (timer.signal.aborted) return;
        late = true;
        stop();
      });
      try {
        const sent = await endOf(child, input);
        return late ? transient(`it did not end within ${DEADLINE_MS / 1_000} s and was stopped`) : sent;
      } finally {
        timer.abort();
        signal.removeEventListener('abort', stop);
      }
    },
  };
}

function start(program: string, args: readonly string[], env: Readonly<Record<string, string | undefined>>): ChildProcess | Sent {
  try {
    return spawn(program, args, { stdio: ['pipe', 'ignore', 'ignore'], env, shell: false, windowsHide: true });
  } catch (error) {
    return unstarted(error instanceof Error ? error.message : String(error));
  }
}

function unstarted(why: string): Sent {
  const next = 'see that the first word of notify.command.run is a program that Magpie may start';
  return { ok: false, kind: 'refused', message: `it cannot be started: ${printable(why)}`, next };
}

function endOf(child: ChildProcess, input: string): Promise<Sent> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(unstarted(error.message)));
    child.once('exit', (code, signal) => {
      if (code === 0) return resolve({ ok: true });
      resolve(transient(code === null ? `it was ended by ${signal}` : `it ended with exit code ${code}`));
    });
    // A program need not read what it is told.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(input);
  });
}

function transient(message: string): Sent {
  return { ok: false, kind: 'transient', message, retryAfterMs: undefined };
}
