import { resolve } from 'node:path';
import { type Variables, readVariables } from '../settings/variables.ts';
import { Secret, secretsOfTradeUrl } from '../domain/secret.ts';
import type { SharedOptions } from './command.ts';
import type { Io } from './io.ts';

/** The environment's own secrets, which a faulty configuration might not let us find. */
const secretNames = ['MAGPIE_API_KEY', 'MAGPIE_PARTNER_KEY', 'MAGPIE_TRADE_URL', 'MAGPIE_WEB_TOKEN'] as const;

/** Keeps what the variables hold in secret out of every output from now on. */
export function hideEnvironment(io: Io): void {
  const secrets = secretNames.flatMap((name) => (io.variables[name] ? [new Secret(io.variables[name])] : []));
  io.hide(secrets.flatMap(secretsOfTradeUrl));
}

/**
 * Reads the variables of the configuration that a command was given, which count from here on; their secrets appear in no output. Faults
 * are those of their files, to be told with the configuration's.
 */
export function variablesFor(io: Io, { config, envFile }: SharedOptions): Variables {
  const { env, cwd } = io;
  const variables = readVariables({ env, cwd, config: config === undefined ? undefined : resolve(cwd, config), envFile });
  io.takeVariables(variables.env);
  hideEnvironment(io);
  return variables;
}
