import type { Clock } from '../domain/clock.ts';
import { MICROS_PER_DOLLAR } from '../domain/money.ts';
import { Secret } from '../domain/secret.ts';
import { type RunningSandbox, startSandbox } from '../sandbox/start.ts';
import type { AccountSettings, Settings } from '../settings/settings.ts';

/** The service that is spoken to: a real one, or the exchange in this process. */
export interface Partner {
  readonly baseUrl: string;
  /** undefined only in dry-run without a key. */
  readonly account: AccountSettings | undefined;
  /** For a person: where this is. */
  readonly name: string;
  readonly sandbox: RunningSandbox | undefined;
}

/** Starts the embedded exchange when the configuration asks for it; its books stand in the data folder. */
export async function partnerOf(settings: Settings, clock: Clock, onStoreFailure: (error: unknown) => void): Promise<Partner> {
  const { service } = settings;
  if (service.kind === 'remote') {
    return { baseUrl: service.baseUrl, account: service.account, name: service.baseUrl, sandbox: undefined };
  }
  const { seed, listings, balance, speed, faults, webhooks } = service.sandbox;
  const { account: name, accountNames } = settings;
  const sandbox = await startSandbox({
    seed,
    listings,
    speed,
    faults,
    balance: balance / MICROS_PER_DOLLAR,
    dataFolder: settings.recordingFolder,
    ...(accountNames.length > 0 && { children: accountNames.length }),
    ...(webhooks && { webhooks: { url: webhooks.url, secret: webhooks.secret?.reveal() } }),
    clock,
    onStoreFailure,
  });
  const at = { baseUrl: sandbox.baseUrl, name: `play money on the embedded exchange (seed ${seed})`, sandbox };
  return accountNames.length === 0 || name !== undefined
    ? { ...at, account: childOf(sandbox, settings) }
    : { ...at, account: { ...childOf(sandbox, settings), apiKey: new Secret(sandbox.topLevelKey), tradeUrl: undefined } };
}

/** The child account of the embedded exchange that is an account's: the first where there is one, else by its place in the file. */
function childOf(
  sandbox: Pick<RunningSandbox, 'childKeys' | 'topLevelKey' | 'tradeUrl'>,
  { account, accountNames }: Pick<Settings, 'account' | 'accountNames'>,
): AccountSettings {
  const place = account === undefined ? 0 : accountNames.indexOf(account);
  const key = sandbox.childKeys[place];
  if (key === undefined) throw new Error(`the embedded exchange has no child account for ${account ?? 'the account'}`);
  return {
    apiKey: new Secret(key),
    partnerKey: new Secret(sandbox.topLevelKey),
    tradeUrl: new Secret(sandbox.tradeUrl),
  };
}

/** What one of several accounts speaks to, of the service that was found or started for all. */
export function partnerFor(whole: Partner, settings: Settings): Partner {
  const { service } = settings;
  if (service.kind === 'remote') return { ...whole, account: service.account };
  if (whole.sandbox === undefined) throw new Error('the embedded exchange was not started');
  return { ...whole, account: childOf(whole.sandbox, settings), sandbox: undefined };
}
