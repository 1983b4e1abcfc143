import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { type Endpoint, type EndpointName, endpoints } from '../../src/api/endpoints.ts';
import { Secret } from '../../src/domain/secret.ts';
import type { ReadName } from '../../src/engine/ports.ts';
import { createVenue } from '../../src/gateway/venue.ts';
import { order } from '../gateway/answers.ts';
import { scenes } from '../gateway/harness.ts';
import { kindsOfFailure, openFailing } from './support/echoing-service.ts';
import { leaksIn, planted, plantedTradeUrl } from './support/planted-secrets.ts';
import { expectNoLeakThroughEverything } from './support/run-through-faults.ts';

vi.setConfig({ testTimeout: 120_000 });

const scene = scenes();

describe('our secrets', () => {
  it('are in no line, no file and no answer of a command after a run through every fault of a service that quotes them [S1 S2 S3]', async () => {
    await expectNoLeakThroughEverything('human');
  });

  const reads = Object.keys(endpoints).filter((name): name is ReadName => {
    const { moves, path }: Endpoint = endpoints[name as EndpointName];
    return moves === undefined && !path.includes('{');
  });
  const kinds = Array.from({ length: kindsOfFailure }, (_, kind) => kind);
  it.each(kinds)(
    'leave the gateway neither in a reply nor in an outcome nor in a notice, in whatever way it fails (%i) [S3]',
    async (kind) => {
      const service = await openFailing(kind);
      const { gateway } = await scene({}, () => ({
        baseUrl: service.server.url,
        apiKey: new Secret(planted.apiKey),
        partnerKey: new Secret(planted.partnerKey),
        tradeUrl: new Secret(plantedTradeUrl),
      }));
      const venue = createVenue(gateway.line, new Secret(plantedTradeUrl), () => undefined);
      onTestFinished(() => venue.close());
      for (const name of reads) {
        const { example }: Endpoint = endpoints[name];
        const reply = await gateway.service.read(name, (example ?? {}) as object);
        expect({ name, leaks: leaksIn(JSON.stringify(reply)) }).toEqual({ name, leaks: [] });
      }
      const { outcome } = await venue.buy(order, () => undefined);
      expect(leaksIn(JSON.stringify([outcome, gateway.lines, gateway.slowed]))).toEqual([]);
      expect(service.server.requests.length).toBeGreaterThanOrEqual(reads.length);
    },
  );
});
