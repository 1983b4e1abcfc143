import { block, duration, secretAddress, text, whole } from './shapes.ts';

/** Where somebody may ask; `tells`: what whoever reaches it reads. */
function listening(port: number, tells: string) {
  return block({
    host: text('a host name or an IP address', /^[A-Za-z0-9.:_-]{1,253}$/)
      .default('127.0.0.1')
      .describe(`Address to listen at. At another than this machine's own, whoever reaches it reads ${tells}.`),
    port: whole(0, 65_535).default(port).describe('Port to listen at; 0 takes any free one.'),
  });
}

export const metrics = listening(9790, 'balance and purchases');

/** The treasury is a process of its own, beside the one that buys. */
export const treasuryMetrics = listening(9791, 'balances of all merchants');

export const deadMan = block({
  url: secretAddress().optional().describe('Address that is asked for. Needed.'),
  every: duration('1m', '24h')
    .default('5m')
    .describe('From one ping to the next, while polls, decisions and reconciliation make progress.'),
});

/** Keys whose values are secret. */
export const monitoringSecrets = ['deadMan.url'] as const;
