#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { type Sink, openSink } from '../app/sink.ts';
import { threadPool } from '../app/sweep/pool.ts';
import { SystemClock } from '../app/system-clock.ts';
import { type Outlet, createIo } from './io.ts';
import { pageThread } from './page-worker.ts';
import { runProgram, tellDefect } from './program.ts';
import { terminalAsker } from './terminal.ts';

// A reader that goes away (`| head`) must not end a process that spends money, nor show a stack to a person.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

let sink: Sink | undefined;

const io = createIo({
  stdout: Object.assign(outletOf(process.stdout), {
    writeUnawaited(text: string) {
      sink ??= openSink(process.stdout.fd);
      sink.write(text);
    },
    flushed: async () => sink?.flushed(),
  }),
  stderr: outletOf(process.stderr),
  env: process.env,
  cwd: process.cwd(),
  clock: new SystemClock(),
  parent: () => process.ppid,
  input: () => readFileSync(0, 'utf8'),
  thread: pageThread,
  sweepers: threadPool,
  ask: process.stdin.isTTY && process.stdout.isTTY ? terminalAsker() : undefined,
  onSignal(name, work) {
    process.on(name, work);
    return () => process.off(name, work);
  },
});
// Unhandled, this signal opens Node's inspector, through which anybody on this machine could run code in this process.
io.onSignal('SIGUSR1', () => {});

process.on('uncaughtException', (error) => process.exit(tellDefect(error, io.err)));

const code = await runProgram(process.argv.slice(2), io);
await Promise.all([sink?.flushed(), drained(process.stdout), drained(process.stderr)]);
process.exit(code);

function outletOf(stream: NodeJS.WriteStream): Outlet {
  return {
    write: (text) => void stream.write(text),
    isTerminal: stream.isTTY,
    // Asked each time: a window is made wider while somebody looks.
    get columns() {
      return stream.columns;
    },
    get rows() {
      return stream.rows;
    },
  };
}

function drained(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    stream.write('', () => resolve());
  });
}
