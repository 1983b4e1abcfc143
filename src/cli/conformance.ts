import type { Command } from 'commander';
import type { Asking } from '../app/conformance/asking.ts';
import { lockKey } from '../app/holdings.ts';
import { dollarsFromMicros } from '../domain/money.ts';
import { Secret } from '../domain/secret.ts';
import { isFolderHeld } from '../ledger/lock.ts';
import { isPlayKey } from '../sandbox/accounts.ts';
import type { AccountSettings, Settings } from '../settings/settings.ts';
import { type AddCommand, type SharedOptions, examples } from './command.ts';
import { conformanceJson, isSound, showConformance } from './conformance-text.ts';
import { CommandFailure, type ExitCode, exits } from './exit.ts';
import type { Io } from './io.ts';
import { printJson } from './json.ts';
import { withProgress } from './progress.ts';
import { settingsFor } from './settings.ts';

interface ConformanceOptions extends SharedOptions {
  readonly readOnly?: boolean;
  readonly json?: boolean;
}

export const addConformance: AddCommand = (program, { io, run }) => {
  program
    .command('conformance')
    .summary('hold the service against its document, rule by rule')
    .description(
      'Puts right and wrong requests to every endpoint of the partner API and says where the answers differ from its document, each rule by the name or number that it has there. With --read-only it sends nothing that moves money or changes anything, at the configured rate; without it, it buys, transfers and withdraws, and works on a sandbox only. Exits 0 where all agrees, 1 where something differs or no answer tells.',
    )
    .option('--read-only', 'only what changes nothing: for a real service')
    .option('--json', 'print one JSON document')
    .addHelpText('after', examples('magpie conformance --read-only --config live.yaml', 'magpie conformance'))
    .action((_: unknown, command: Command) => run(() => conformance(io, command.optsWithGlobals<ConformanceOptions>())));
};

/** A service that is to be tried. */
interface Tried {
  readonly baseUrl: string;
  readonly account: AccountSettings;
  readonly isPlayMoney: boolean;
  close(): Promise<void>;
}

async function conformance(io: Io, options: ConformanceOptions): Promise<ExitCode> {
  const { settings } = settingsFor(io, options);
  const tried = await serviceOf(io, settings);
  try {
    const readOnly = options.readOnly === true;
    if (!readOnly && !tried.isPlayMoney) throw onlyReads();
    return await judged(io, settings, tried, { readOnly, json: options.json === true });
  } finally {
    await tried.close();
  }
}

async function judged(
  io: Io,
  { rate }: Settings,
  { baseUrl, account, isPlayMoney }: Tried,
  { readOnly, json }: { readonly readOnly: boolean; readonly json: boolean },
): Promise<ExitCode> {
  const [{ createProbe }, { Asking: Questions }, { casesFor, conform }] = await Promise.all([
    import('../gateway/probe.ts'),
    import('../app/conformance/asking.ts'),
    import('../app/conformance/suite.ts'),
  ]);
  const { apiKey, partnerKey, tradeUrl } = account;
  const secrets = [apiKey, partnerKey, tradeUrl].filter((secret) => secret !== undefined);
  io.hide(secrets.map((secret) => new Secret(secret.reveal())));
  const { timeoutMs, reads } = rate;
  const probe = createProbe({ baseUrl, secrets, readOnly, timeoutMs, clock: io.clock });
  // Nobody counts requests on a sandbox.
  const perSecond = isPlayMoney ? undefined : reads.perSecond;
  const asking: Asking = new Questions({ probe, clock: io.clock, apiKey, partnerKey, perSecond });
  const scene = { tradeUrl: tradeUrl?.reveal() ?? PLAY_TRADE_URL, mark: io.clock.now().toString(36).replace('.', '') };
  try {
    let words = 'Asking the service';
    const cases = casesFor(readOnly);
    const onCase = (at: number, of: number): void => void (words = `Asking the service: ${at} of ${of} rules`);
    const outcome = await withProgress(io, () => words, conform(asking, cases, scene, onCase));
    if (!outcome.ok) throw new CommandFailure(exits.failed, `The service could not be tried: ${outcome.why}`);
    const told = { baseUrl, readOnly, requests: asking.sent, judged: outcome.judged };
    if (json) printJson(io, conformanceJson(told));
    else showConformance(io, told);
    return isSound(outcome.judged) ? exits.done : exits.failed;
  } finally {
    await probe.close();
  }
}

/** Where bought play items would go. */
const PLAY_TRADE_URL = 'https://steamcommunity.com/tradeoffer/new/?partner=100000001&token=conform1';

function onlyReads(): CommandFailure {
  return new CommandFailure(
    exits.wrong,
    'Nothing was sent: all of it buys, transfers and withdraws, and this is no sandbox. → `magpie conformance --read-only` asks only',
  );
}

async function serviceOf(io: Io, settings: Settings): Promise<Tried> {
  const { service } = settings;
  if (service.kind === 'sandbox') return embedded(io, service.sandbox);
  if (isFolderHeld(settings.data)) throw besideDaemon();
  const { account, baseUrl } = service;
  if (account === undefined)
    throw new CommandFailure(
      exits.wrong,
      'The configuration has no account.apiKey, and nothing can be asked without one. → set MAGPIE_API_KEY',
    );
  const locked = lockKey(settings, io.env);
  if (locked?.ok === false) throw new CommandFailure(locked.held ? exits.held : exits.failed, locked.fault.message);
  const keys = [account.apiKey, ...(account.partnerKey ? [account.partnerKey] : [])];
  const isPlayMoney = keys.every((key) => isPlayKey(key.reveal()));
  return { baseUrl, account, isPlayMoney, close: () => Promise.resolve(locked?.lock.release()) };
}

function besideDaemon(): CommandFailure {
  return new CommandFailure(
    exits.held,
    'A daemon works with this key, and the rates of both together would not hold. → stop it first, or use another key',
  );
}

/** An exchange of its own for as long as it takes, with books in memory: the play money of the data folder stays as it is. */
async function embedded(
  io: Io,
  { seed, listings, balance }: Extract<Settings['service'], { kind: 'sandbox' }>['sandbox'],
): Promise<Tried> {
  const { startSandbox } = await import('../sandbox/start.ts');
  const faults = { orderFails: 0, orderReverts: 0, healthDegraded: 0, healthDown: 0 };
  const running = await startSandbox({ seed, listings, balance: dollarsFromMicros(balance), faults, clock: io.clock });
  const [apiKey, partnerKey, tradeUrl] = [running.childKey, running.topLevelKey, running.tradeUrl].map(
    (text) => new Secret(text),
  );
  const account = { apiKey, partnerKey, tradeUrl } as AccountSettings;
  return { baseUrl: running.baseUrl, account, isPlayMoney: true, close: () => running.close() };
}
