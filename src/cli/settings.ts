import { Secret } from '../domain/secret.ts';
import type { Io } from './io.ts';

/** The environment's own secrets, which a faulty configuration might not let us find. */
const secretNames = ['MAGPIE_API_KEY', 'MAGPIE_PARTNER_KEY', 'MAGPIE_TRADE_URL', 'MAGPIE_WEB_TOKEN'] as const;

/** Keeps what the environment holds in secret out of every output from now on. */
export function hideEnvironment(io: Io): void {
  io.hide(secretNames.flatMap((name) => (io.env[name] ? [new Secret(io.env[name])] : [])));
}
