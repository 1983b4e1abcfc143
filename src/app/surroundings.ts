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
  const { seed, listings, balance, speed, faults } = service.sandbox;
  const sandbox = await startSandbox({
    seed,
    listings,
    speed,
    faults,
    balance: balance / MICROS_PER_DOLLAR,
    dataFolder: settings.data,
    clock,
    onStoreFailure,
  });
  const account = {
    apiKey: new Secret(sandbox.childKey),
    partnerKey: new Secret(sandbox.topLevelKey),
    tradeUrl: new Secret(sandbox.tradeUrl),
  };
  return { baseUrl: sandbox.baseUrl, account, name: `play money on the embedded exchange (seed ${seed})`, sandbox };
}
