import { join } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { dollarsFromMicros } from '../domain/money.ts';
import { acquireLock } from '../ledger/lock.ts';
import type { RunningSandbox, StartOptions } from '../sandbox/start.ts';
import type { WebhookTarget } from '../sandbox/webhook-sender.ts';
import { type AddCommand, type SharedOptions, examples } from './command.ts';
import { CommandFailure, type ExitCode, exits } from './exit.ts';
import type { Io } from './io.ts';
import { accountsIn, sandboxFaults, signatureText, snapshotText, wholeFolder } from './sandbox-options.ts';
import { settingsFor } from './settings.ts';
import { stopSignals } from './stop-signals.ts';
import { showSandbox } from './sandbox-text.ts';

interface SandboxCommandOptions extends SharedOptions {
  readonly port?: number;
  readonly seed?: number;
  readonly listings?: number;
  readonly snapshot?: string;
  readonly balance?: number;
  readonly speed?: number;
  readonly faults?: string;
  readonly children?: number;
  readonly accounts?: string;
  readonly control?: boolean;
  readonly webhook?: string;
  readonly webhookSignedBy?: string;
  readonly json?: boolean;
}

/** Where the example of the configuration looks for it. */
const USUAL_PORT = 4010;
const USUAL_SEED = 7;

export const addSandbox: AddCommand = (program, { io, run }) => {
  program
    .command('sandbox')
    .summary('serve the embedded exchange with play money')
    .description(
      'Serves the embedded exchange, which any client of the partner API can use, until Ctrl-C. Nothing on it is real.',
    )
    .option('--port <N>', `where to listen, on this machine only (default: ${USUAL_PORT}, or any that is free)`, (text) =>
      within(text, 0, 65_535),
    )
    .option('--seed <N>', `the same seed gives the same market (default: ${USUAL_SEED})`, (text) => within(text, 0, 2 ** 31 - 1))
    .option('--listings <N>', 'listings that stand at a time (default: 500)', (text) => within(text, 1, 50_000))
    .option('--snapshot <FILE>', 'serve exactly the listings of a saved answer instead of a market made up')
    .option('--balance <DOLLARS>', 'play money of each account at first (default: 1000)', positive)
    .option('--speed <TIMES>', 'how many times faster the market moves and orders settle (default: 1)', positive)
    .option('--faults <FILE|NAME=RATE>', 'what goes wrong, such as buyLostAfter=0.1,readLate=0.05, or a file of such lines')
    .option('--children <N>', 'child accounts beside the top-level one (default: 1)', (text) => within(text, 1, 100))
    .option(
      '--accounts <FILE>',
      "accounts of your own: a JSON list with kind, key, name, balance and the like, instead of the seed's",
    )
    .option('--control', 'let the holder of the control key list, reprice, sell and have calls fail, for tests')
    .option('--webhook <ADDRESS>', 'post the events order.updated and order.refunded there, on this machine')
    .option('--webhook-signed-by <FILE>', 'a file whose text signs them (HMAC-SHA256)')
    .option('--json', 'print one line of JSON once it listens')
    .addHelpText(
      'after',
      `\n--data keeps its books in that folder; without it they end with the process.\n${examples('magpie sandbox --port 4010', 'magpie sandbox --accounts accounts.json --faults faults.txt --control')}`,
    )
    .action((_: unknown, command: Command) => run(() => sandbox(io, command.optsWithGlobals<SandboxCommandOptions>())));
};

function within(text: string, low: number, high: number): number {
  const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= low && value <= high) return value;
  throw new InvalidArgumentError(`A whole number from ${low} to ${high} is needed.`);
}

function positive(text: string): number {
  const value = /^\d{1,9}(?:\.\d{1,6})?$/.test(text) ? Number(text) : 0;
  if (value > 0) return value;
  throw new InvalidArgumentError('A number above 0 is needed.');
}

async function sandbox(io: Io, options: SandboxCommandOptions): Promise<ExitCode> {
  const dataFolder = options.data === undefined ? undefined : wholeFolder(options.data, io.cwd);
  const market = marketOf(io, options);
  const lock = dataFolder === undefined ? undefined : acquireLock(join(dataFolder, 'sandbox.lock'), 'the books of this exchange');
  if (lock?.ok === false) throw new CommandFailure(lock.held ? exits.held : exits.failed, lock.fault.message);
  const onStoreFailure = (error: unknown): void => io.err.line(`The books could not be kept: ${String(error)}`);
  const signals = stopSignals(io);
  try {
    const running = await start({ ...market, ...defined({ dataFolder }), clock: io.clock, onStoreFailure }, options.port);
    showSandbox(io, running, {
      ...market,
      json: options.json === true,
      snapshotFile: options.snapshot,
      faultsGiven: options.faults,
      dataFolder,
    });
    await signals.first;
    await running.close();
    if (options.json !== true) io.out.line('The exchange has closed.');
    return exits.done;
  } finally {
    signals.off();
    if (lock?.ok === true) lock.lock.release();
  }
}

type Market = Pick<
  StartOptions,
  'seed' | 'listings' | 'balance' | 'speed' | 'faults' | 'snapshot' | 'children' | 'accounts' | 'control' | 'webhooks'
>;

/** What the command line says of the market, then what a configuration that was given says of its embedded exchange. */
function marketOf(io: Io, options: SandboxCommandOptions): Market {
  const { seed, listings, balance, speed, children, control } = options;
  const faults = options.faults === undefined ? undefined : sandboxFaults(options.faults, io.cwd);
  const snapshot = options.snapshot === undefined ? undefined : snapshotText(options.snapshot, io.cwd);
  const accounts = options.accounts === undefined ? undefined : accountsIn(options.accounts, io.cwd);
  const webhooks = webhooksOf(io, options);
  const given = defined({ seed, listings, balance, speed, faults, snapshot, children, accounts, control, webhooks });
  if (options.config === undefined) return { seed: USUAL_SEED, ...given };
  const { service } = settingsFor(io, options).settings;
  if (service.kind !== 'sandbox') {
    throw new CommandFailure(
      exits.wrong,
      'This configuration has no embedded exchange (service.sandbox). → leave --config out, or add that block',
    );
  }
  const { webhooks: configured, balance: micros, ...market } = service.sandbox;
  const told = configured && { url: configured.url, secret: configured.secret?.reveal() };
  return { ...market, ...defined({ webhooks: told }), balance: dollarsFromMicros(micros), ...given };
}

function webhooksOf(io: Io, { webhook, webhookSignedBy }: SandboxCommandOptions): WebhookTarget | undefined {
  if (webhook !== undefined)
    return { url: webhook, secret: webhookSignedBy === undefined ? undefined : signatureText(webhookSignedBy, io.cwd) };
  if (webhookSignedBy === undefined) return undefined;
  throw new CommandFailure(
    exits.wrong,
    '--webhook-signed-by says what events are signed with. → add --webhook ADDRESS, where they go',
  );
}

/** What is undefined leaves the default to whoever takes it. */
function defined<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}

/** Listens where it was told to; where it was not told, at the usual place, or anywhere when that is taken. */
async function start(options: StartOptions, port: number | undefined): Promise<RunningSandbox> {
  const { startSandbox } = await import('../sandbox/start.ts');
  try {
    return await startSandbox({ ...options, port: port ?? USUAL_PORT });
  } catch (error) {
    if (port === undefined && isTaken(error)) return startSandbox({ ...options, port: 0 });
    throw failureOf(error, port);
  }
}

function isTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
}

function failureOf(error: unknown, port: number | undefined): unknown {
  if (isTaken(error))
    return new CommandFailure(
      exits.failed,
      `Port ${port ?? USUAL_PORT} is taken by another program. → another --port, or none to take any`,
    );
  if (error instanceof Error && error.name === 'SandboxError') return new CommandFailure(exits.wrong, error.message);
  return error;
}
