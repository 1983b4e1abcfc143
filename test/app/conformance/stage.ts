import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { Asking } from '../../../src/app/conformance/asking.ts';
import { casesFor, conform, type Judged } from '../../../src/app/conformance/suite.ts';
import { SystemClock } from '../../../src/app/system-clock.ts';
import { Secret } from '../../../src/domain/secret.ts';
import { createProbe } from '../../../src/gateway/probe.ts';
import type { SandboxRequest } from '../../../src/sandbox/answer.ts';
import { createSandbox } from '../../../src/sandbox/sandbox.ts';
import type { SandboxAnswer } from '../../../src/sandbox/sandbox-answer.ts';
import { sandboxServer } from '../../../src/sandbox/server.ts';
import { calm } from '../../sandbox/harness.ts';

export interface Tried {
  readonly judged: readonly Judged[];
  /** `GET /v1/user` of each request that came, in order. */
  readonly asked: readonly string[];
}

/** The suite against an exchange whose answers `change` may bend. */
export async function tried(
  readOnly: boolean,
  change: (request: SandboxRequest, answer: SandboxAnswer) => SandboxAnswer = (_, answer) => answer,
  about?: (endpoint: string) => boolean,
): Promise<Tried> {
  const clock = new SystemClock();
  const sandbox = createSandbox({ seed: 7, listings: 60, clock, faults: calm });
  const asked: string[] = [];
  const handle = (request: SandboxRequest): SandboxAnswer => {
    asked.push(`${request.method} ${request.path}`);
    return change(request, sandbox.handle(request));
  };
  const server = sandboxServer({ handle }, clock);
  await server.listen({ host: '127.0.0.1', port: 0 });
  const [apiKey, partnerKey] = [new Secret(sandbox.childKey), new Secret(sandbox.topLevelKey)];
  const baseUrl = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
  const probe = createProbe({ baseUrl, secrets: [apiKey, partnerKey], readOnly, timeoutMs: 20_000, clock });
  onTestFinished(async () => {
    await probe.close();
    await server.close();
    sandbox.close();
  });
  const asking = new Asking({ probe, clock, apiKey, partnerKey, perSecond: undefined });
  const cases = casesFor(readOnly).filter(({ rules }) => about === undefined || rules.some(about));
  const outcome = await conform(asking, cases, { tradeUrl: sandbox.tradeUrl, mark: 'test' }, () => undefined);
  if (!outcome.ok) throw new Error(outcome.why);
  return { judged: outcome.judged, asked };
}

/** The body of an answer with its JSON changed. */
export function bent(answer: SandboxAnswer, change: (envelope: Record<string, unknown>) => unknown): SandboxAnswer {
  return { ...answer, bodyText: JSON.stringify(change(JSON.parse(answer.bodyText) as Record<string, unknown>)) };
}
