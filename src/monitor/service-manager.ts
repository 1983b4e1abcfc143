import { type ChildProcess, spawn } from 'node:child_process';

export interface ServiceManagerOptions {
  /** Of the environment: NOTIFY_SOCKET, WATCHDOG_USEC and WATCHDOG_PID are read, PATH is handed on. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly pid: number;
  /** It cannot be told any more, and why. At most once. */
  readonly onLost: (message: string) => void;
}

/**
 * Node.js has no datagram sockets of this kind, so systemd's own program tells it: one shell that is started once reads a line for each
 * message, since each start from here would copy the tables of a large process. The two fields of a line are what it may say at once.
 * 127: there is no such program.
 */
const TELL = `while IFS='\t' read -r one other; do systemd-notify "$one" \${other:+"$other"} || [ $? -ne 127 ] || exit 127; done`;

/** A line is cut here; systemd shows less. */
const STATUS_MAX = 400;

/** Messages that a shell which does not read may leave waiting, in bytes; more are dropped. */
const WAITING_MAX = 16_384;

/** What systemd is told of a service of `Type=notify`, over the socket that it names. Never waits and never throws. */
export class ServiceManager {
  /** How often it wants to hear that all is well, milliseconds; undefined where it does not. */
  readonly watchdogMs: number | undefined;
  readonly #onLost: (message: string) => void;
  readonly #child: ChildProcess;
  #lost = false;
  #ending = false;

  private constructor(options: ServiceManagerOptions, child: ChildProcess) {
    this.#onLost = options.onLost;
    this.#child = child;
    this.watchdogMs = watchdogMs(options);
    child.once('error', (error) => this.#lose(error.message));
    child.once('exit', (code) => this.#lose(`systemd-notify ended with exit code ${code ?? 'none'}`));
    // Whoever has ended does not read.
    child.stdin?.on('error', () => undefined);
  }

  /** undefined where no service manager wants to be told anything. */
  static of(options: ServiceManagerOptions): ServiceManager | undefined {
    const { NOTIFY_SOCKET: socket, PATH } = options.env;
    if (socket === undefined || !/^[/@]/.test(socket)) return undefined;
    const env = { NOTIFY_SOCKET: socket, ...(PATH !== undefined && { PATH }) };
    return new ServiceManager(options, spawn('/bin/sh', ['-c', TELL], { stdio: ['pipe', 'ignore', 'ignore'], env }));
  }

  /** The start is done: what was started is running. */
  ready(status: string): void {
    this.#say('READY=1', `STATUS=${status}`);
  }

  status(status: string): void {
    this.#say(`STATUS=${status}`);
  }

  /** It makes progress. */
  alive(status: string): void {
    this.#say('WATCHDOG=1', `STATUS=${status}`);
  }

  /** The files are being read anew; `ready` ends it. `monotonicUsec`: the machine's steady clock, microseconds. */
  reloading(monotonicUsec: bigint): void {
    this.#say('RELOADING=1', `MONOTONIC_USEC=${monotonicUsec}`);
  }

  stopping(): void {
    this.#say('STOPPING=1');
  }

  /** Ends what tells it, once that has told what was said before. Resolves soon. */
  end(): Promise<void> {
    this.#ending = true;
    return new Promise((resolve) => {
      if (this.#lost) return resolve();
      this.#child.once('exit', () => resolve());
      this.#child.stdin?.end();
    });
  }

  #say(one: string, other = ''): void {
    const { stdin } = this.#child;
    if (this.#lost || this.#ending || stdin === null || stdin.writableLength > WAITING_MAX) return;
    stdin.write(`${word(one)}\t${word(other)}\n`);
  }

  #lose(message: string): void {
    if (this.#lost) return;
    this.#lost = true;
    if (!this.#ending) this.#onLost(message);
  }
}

/** On one line, without the sign that parts two words. */
function word(text: string): string {
  return text.replace(/\p{Cc}|\p{Cs}/gu, ' ').slice(0, STATUS_MAX);
}

/** It may be meant for another process of the same environment. */
function watchdogMs({ env, pid }: ServiceManagerOptions): number | undefined {
  const { WATCHDOG_USEC: usec = '', WATCHDOG_PID: of } = env;
  if (!/^\d{1,15}$/.test(usec) || Number(usec) === 0) return undefined;
  return of === undefined || of === String(pid) ? Number(usec) / 1_000 : undefined;
}
