import type { ExchangeFaultRates } from '../../../src/domain/exchange-fault.ts';
import type { EpochMs } from '../../../src/domain/clock.ts';
import type { SandboxRequest } from '../../../src/sandbox/answer.ts';
import type { Sandbox } from '../../../src/sandbox/sandbox.ts';
import type { SandboxAnswer } from '../../../src/sandbox/sandbox-answer.ts';
import type { Aimed, Blow, BlowName } from './plan.ts';

const BUY = '/v2/market/buy';
/** What another client leaves of the money, in dollars. */
const LEFT = 0.03;

interface AimOptions {
  readonly aimed: Aimed;
  readonly sandbox: Sandbox;
  /** Rates that hold for everybody. */
  readonly weather: Partial<ExchangeFaultRates>;
  readonly key: string;
  readonly now: () => EpochMs;
  readonly beganAt: EpochMs;
}

/** What stands between the exchange and the one account that faults are aimed at: nobody else's request passes here. */
export class Aim {
  readonly struck = new Map<BlowName, number>();
  readonly #o: AimOptions;
  readonly #done = new Set<Blow>();
  #healed = false;

  constructor(options: AimOptions) {
    this.#o = options;
  }

  get aimed(): Aimed {
    return this.#o.aimed;
  }

  /** Nothing is aimed any more. */
  heal(): void {
    this.#healed = true;
  }

  count(name: BlowName): void {
    this.struck.set(name, (this.struck.get(name) ?? 0) + 1);
  }

  handle(request: SandboxRequest): SandboxAnswer {
    const { sandbox, aimed, weather } = this.#o;
    if (this.#healed) return sandbox.handle(request);
    if (this.#strikes('keyRefused'))
      return sandbox.handle({ ...request, headers: { ...request.headers, 'x-api-key': 'revoked' } });
    if (this.#strikes('tooManyStorm')) return { ...refusal(429, 'RATE_LIMITED'), headers: { ...json, 'retry-after': '2' } };
    if (this.#strikes('forbiddenStorm')) return refusal(403, 'FORBIDDEN');
    if (request.path === BUY && this.#strikes('refusalStorm')) return refusal(409, 'PRICE_CHANGED');
    this.#drain();
    // Requests are answered at once, so that nobody else's meets these rates.
    sandbox.setFaults({ ...weather, ...aimed.faults });
    try {
      return sandbox.handle(request);
    } finally {
      sandbox.setFaults(weather);
    }
  }

  #drain(): void {
    const blow = this.#blow('drained');
    if (blow === undefined || this.#done.has(blow)) return;
    this.#done.add(blow);
    const { sandbox, key } = this.#o;
    const ask = (method: string, path: string, body?: unknown): SandboxAnswer =>
      sandbox.handle({
        method,
        path,
        query: {},
        headers: { 'x-api-key': key },
        body: body === undefined ? undefined : JSON.stringify(body),
      });
    const profile = JSON.parse(ask('GET', '/v1/user').bodyText) as { data?: { profile?: { balance?: number } } };
    const amount = Math.floor(((profile.data?.profile?.balance ?? 0) - LEFT) * 100) / 100;
    const answer = ask('POST', '/v1/user/wallet/withdraw', {
      token: 'USDT',
      network: 'TRC20',
      address: 'T-another-client',
      amount,
    });
    if (answer.status === 200) this.count('drained');
  }

  #strikes(name: BlowName): boolean {
    if (this.#blow(name) === undefined) return false;
    this.count(name);
    return true;
  }

  #blow(name: BlowName): Blow | undefined {
    const { aimed, now, beganAt } = this.#o;
    const at = now() - beganAt;
    return aimed.blows.find((blow) => blow.name === name && at >= blow.at && at < blow.at + blow.ms);
  }
}

const json = { 'content-type': 'application/json; charset=utf-8' };

function refusal(status: number, code: string): SandboxAnswer {
  return { status, headers: json, bodyText: JSON.stringify({ success: false, code, message: `aimed: ${code}` }), delayMs: 0 };
}
