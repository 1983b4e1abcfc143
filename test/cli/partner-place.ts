import { onTestFinished } from 'vitest';
import { HostileServer, type Manners } from '../gateway/hostile-server.ts';
import { place } from './harness.ts';

const KEY = 'live-key-of-an-account-0123456789';
export const PARTNER = 'live-key-of-the-partner-987654321';

/** A service that answers so, and a folder whose configuration has keys for it, and `more`. */
export async function real(manners: Manners, more = ''): Promise<{ server: HostileServer; cwd: string }> {
  const server = await HostileServer.start(manners);
  onTestFinished(() => server.close());
  const account = `account: { apiKey: ${KEY}, partnerKey: ${PARTNER} }`;
  const config = `service: { baseUrl: "${server.url}" }\n${account}\nlimits: { maxPrice: 1 }\nmode: dry-run\n${more}`;
  return { server, cwd: place({ 'magpie.yaml': config }) };
}
