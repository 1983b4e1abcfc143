import { endpoints, type Endpoint, type EndpointName } from '../../api/endpoints.ts';
import { sleep, type Clock } from '../../domain/clock.ts';
import { Secret } from '../../domain/secret.ts';
import type { Probe, ProbeAnswer, ProbeRequest } from '../../gateway/probe.ts';
import type { Scene } from './scene.ts';

export interface Asked extends Omit<ProbeRequest, 'key'> {
  /** Left out: by what the endpoint needs. */
  readonly key?: 'account' | 'partner' | 'none' | Secret;
}

export interface AskingOptions {
  readonly probe: Probe;
  readonly clock: Clock;
  readonly apiKey: Secret;
  readonly partnerKey: Secret | undefined;
  /** Requests in a second, at most; undefined: as fast as they are answered. */
  readonly perSecond: number | undefined;
}

/** A service that asks for less this often is left alone. */
const SLOW_DOWNS_MAX = 3;
/** What is waited for at a 429, at least where it names nothing and at most whatever it names, milliseconds. */
const WAIT_USUAL_MS = 5_000;
const WAIT_MAX_MS = 60_000;

/** Puts the questions of the suite, one after the other and no faster than the rate. */
export class Asking {
  /** What there is to ask about; empty until it has been looked up. */
  scene: Scene = { listings: [], tradeUrl: '', mark: '' };
  readonly #options: AskingOptions;
  #nextAt = Number.NEGATIVE_INFINITY;
  #slowDowns = 0;
  #sent = 0;

  constructor(options: AskingOptions) {
    this.#options = options;
  }

  /** Whether the account's key is another one than that for what not every key may. */
  get hasTwoKeys(): boolean {
    const { apiKey, partnerKey } = this.#options;
    return partnerKey !== undefined && partnerKey.reveal() !== apiKey.reveal();
  }

  /** How many requests have left. */
  get sent(): number {
    return this.#sent;
  }

  /** Sends one request. A 429 is waited out and a read asked once more; after the third, nothing is sent any more. */
  async ask(name: EndpointName, asked: Asked = {}): Promise<ProbeAnswer> {
    const row: Endpoint = endpoints[name];
    const { key, ...request } = asked;
    const answer = await this.#send(row, { ...request, key: this.#keyOf(row, key) });
    if (answer.kind !== 'answered' || answer.status !== 429) return answer;
    this.#slowDowns++;
    await sleep(this.#options.clock, Math.min(Math.max(answer.retryAfterMs ?? WAIT_USUAL_MS, 1_000), WAIT_MAX_MS));
    return row.moves === undefined ? this.#send(row, { ...request, key: this.#keyOf(row, key) }) : answer;
  }

  async #send(row: Endpoint, request: ProbeRequest): Promise<ProbeAnswer> {
    const { clock, probe, perSecond } = this.#options;
    if (this.#slowDowns >= SLOW_DOWNS_MAX)
      return { kind: 'none', why: 'not asked: the service has asked for fewer requests again and again (429)' };
    if (perSecond !== undefined) {
      await sleep(clock, Math.max(0, this.#nextAt - clock.mono()));
      this.#nextAt = clock.mono() + 1_000 / perSecond;
    }
    this.#sent++;
    return probe.send(row, request);
  }

  #keyOf(row: Endpoint, key: Asked['key'] = row.auth === 'key' ? 'account' : 'partner'): Secret | undefined {
    if (key === 'none') return undefined;
    if (key instanceof Secret) return key;
    const { apiKey, partnerKey = apiKey } = this.#options;
    return key === 'account' ? apiKey : partnerKey;
  }
}
