import { type Check, compileCheck } from '../../src/api/check.ts';
import { type DataOf, type Endpoint, endpoints } from '../../src/api/endpoints.ts';
import type { Clock, EpochMs } from '../../src/domain/clock.ts';
import type { Fault } from '../../src/domain/fault.ts';
import type { BuyOutcome } from '../../src/domain/outcome.ts';
import type { Random } from '../../src/domain/random.ts';
import { serviceMessage } from '../../src/domain/text.ts';
import type {
  BuyOrder,
  Permit,
  Permits,
  ReadName,
  ReadRequest,
  Reply,
  Service,
  Venue,
  WireTimes,
} from '../../src/engine/ports.ts';
import { slicesReader } from '../../src/feed/slices/reader.ts';
import { type ListedReader, waitAskedBy } from '../../src/gateway/answer.ts';
import { ArrivingAnswer } from '../../src/gateway/arriving-answer.ts';
import { withoutOldAnswers } from '../../src/gateway/answer-history.ts';
import { Backoff, type KeyName, type Slowed } from '../../src/gateway/backoff.ts';
import { answerOf } from '../../src/gateway/body.ts';
import { classifyBuy } from '../../src/gateway/classify-buy.ts';
import { type Expected, type ReadOutcome, classifyRead, readFault } from '../../src/gateway/classify-read.ts';
import type { RawEnding, Receiving } from '../../src/gateway/exchange.ts';
import type { Rank, Rate } from '../../src/gateway/pace.ts';
import type { SandboxRequest } from '../../src/sandbox/answer.ts';
import type { Door, Post } from './door.ts';
import type { Network } from './network.ts';
import { SimPace } from './sim-pace.ts';

export interface SimGatewayOptions {
  readonly network: Network;
  readonly door: Door;
  readonly clock: Clock;
  readonly random: Random;
  readonly keys: Readonly<Record<KeyName, string>>;
  readonly tradeUrl: string;
  readonly parse: 'stream' | 'slices' | 'whole';
  readonly rates: { readonly reads: Rate; readonly buys: Rate; readonly timeoutMs: number };
  readonly slowUntil: EpochMs | undefined;
  readonly onSlowed: (slowed: Slowed) => void;
  /** Which start of the process this is. */
  readonly boot: number;
  readonly alive: () => boolean;
  /** True time. */
  readonly trueNow: () => EpochMs;
  /** Called as a buy is about to leave. */
  readonly onPost: (order: BuyOrder) => void;
  readonly keptBack: (order: BuyOrder) => string | undefined;
  /** Called as there is a connection for a buy and nothing keeps it back. */
  readonly onLeave: (order: BuyOrder) => void;
}

/** How long the gateway listens on after a buy was given up as unknown. */
const READ_ON_MS = 60_000;
const LARGEST = 64 * 1024 * 1024;

const rankOf: Readonly<Record<NonNullable<ReadRequest<ReadName>['urgency']>, Rank>> = {
  reconcile: 'first',
  poll: 'second',
  spare: 'third',
};

const checks = new Map<Endpoint, Check>();

function checkOf(endpoint: Endpoint): Check {
  let check = checks.get(endpoint);
  if (check === undefined) checks.set(endpoint, (check = compileCheck(endpoint.data)));
  return check;
}

/**
 * The gateway's ports over the simulated network. Its answers are read, classified and held against each other and its back-off
 * kept by the production code; sockets and the limiter, which need real time, are played.
 */
export class SimGateway {
  readonly service: Service;
  readonly venue: Venue;
  readonly permits: Permits;
  readonly #o: SimGatewayOptions;
  readonly #backoffs: Readonly<Record<KeyName, Backoff>>;
  readonly #reads: SimPace;
  readonly #reader: ListedReader | undefined;

  constructor(options: SimGatewayOptions) {
    this.#o = options;
    const { clock, random, onSlowed, slowUntil, rates } = options;
    this.#backoffs = {
      account: new Backoff({ key: 'account', clock, random, slowUntil, onSlowed }),
      partner: new Backoff({ key: 'partner', clock, random, slowUntil: undefined, onSlowed }),
    };
    this.#reads = new SimPace(rates.reads, clock);
    this.#reader = options.parse === 'whole' ? undefined : slicesReader(() => undefined);
    this.service = withoutOldAnswers({ read: (name, request) => this.#read(name, request ?? {}) });
    this.venue = { buy: (order, late) => this.#buy(order, late) };
    this.permits = this.#permitsOf(new SimPace(rates.buys, clock));
  }

  #permitsOf(pace: SimPace): Permits {
    const { account } = this.#backoffs;
    return {
      take: async (signal) => {
        for (;;) {
          await account.passed(signal);
          const permit = await pace.take('first', signal);
          if (account.leftMs === 0) return permit;
          permit.done();
        }
      },
    };
  }

  async #read<N extends ReadName>(name: N, request: ReadRequest<N>): Promise<Reply<DataOf<N>>> {
    const { clock } = this.#o;
    let beganAt = clock.now();
    const outcome = await this.#asked(name, request, () => {
      beganAt = clock.now();
    });
    const times = { beganAt, endedAt: clock.now() };
    if (!outcome.ok) return { ok: false, fault: outcome.fault, ...times };
    return { ...outcome, data: outcome.data as DataOf<N>, ...times };
  }

  async #asked(name: ReadName, request: ReadRequest<ReadName>, begin: () => void): Promise<ReadOutcome> {
    const { clock, rates } = this.#o;
    const endpoint: Endpoint = endpoints[name];
    const key: KeyName = request.key ?? (endpoint.auth === 'top-level' ? 'partner' : 'account');
    const backoff = this.#backoffs[key];
    if (backoff.leftMs > 0) return slowed(backoff);
    const signal = request.signal ?? new AbortController().signal;
    let permit: Permit;
    try {
      permit = await this.#reads.take(rankOf[request.urgency ?? 'poll'], signal);
    } catch {
      return { ok: false, fault: readFault({ class: 'transient', cause: 'other', message: 'cancelled', sent: false }) };
    }
    try {
      if (backoff.leftMs > 0) return slowed(backoff);
      permit.begin();
      begin();
      const beganAt = clock.now();
      const expected = { check: checkOf(endpoint), mayForbid: endpoint.auth !== 'key', clean: serviceMessage };
      const arriving = name === 'liveListings' ? this.#arriving(request, expected, beganAt) : undefined;
      const ending = await this.#ending(this.#requestOf(endpoint, request, key), rates.timeoutMs, signal, arriving);
      if (ending.kind === 'broken') arriving?.drop();
      const reader = arriving ?? (name === 'liveListings' ? this.#reader : undefined);
      const answer = await answerOf(ending, LARGEST, reader);
      const outcome = classifyRead(answer, expected, clock.now());
      if (outcome.ok) backoff.succeeded(beganAt);
      else heed(outcome.fault, backoff, beganAt);
      if (arriving) this.#o.door.endOfPart(!outcome.ok);
      this.#heard(name, ending);
      return outcome;
    } finally {
      permit.done();
    }
  }

  /** As the production gateway tells of what arrives. */
  #arriving({ early }: ReadRequest<'liveListings'>, expected: Expected, beganAt: EpochMs): ArrivingAnswer | undefined {
    const { clock, alive } = this.#o;
    if (this.#reader === undefined || early === undefined) return undefined;
    return new ArrivingAnswer({
      ...{ reader: this.#reader, expected, clock, limitBytes: LARGEST },
      tell: (outcome) => {
        if (alive()) early({ ...outcome, data: outcome.data as DataOf<'liveListings'>, beganAt, endedAt: clock.now() });
      },
    });
  }

  #ending(
    request: SandboxRequest,
    timeoutMs: number,
    signal: AbortSignal,
    arriving: ArrivingAnswer | undefined,
  ): Promise<RawEnding> {
    const { clock, network, alive } = this.#o;
    return new Promise((resolve) => {
      const onEnding = (ending: RawEnding): void => {
        stop();
        signal.removeEventListener('abort', abort);
        if (alive()) resolve(ending);
      };
      const flight = network.carry(request, onEnding, undefined, arriving && this.#piecesTo(arriving));
      const abort = (): void => flight.cancel('other', 'cancelled');
      const stop = clock.after(timeoutMs, () => flight.cancel('timeout', `no whole answer within ${timeoutMs} ms`));
      signal.addEventListener('abort', abort, { once: true });
    });
  }

  /** Whatever the bot is shown, the door hears first. */
  #piecesTo(arriving: ArrivingAnswer): Receiving {
    const { door, alive, trueNow } = this.#o;
    let text = '';
    return (piece, status, headers) => {
      if (!alive()) return;
      text += piece.toString('latin1');
      door.heardPart({ at: trueNow(), text: Buffer.from(text, 'latin1').toString() });
      arriving.receive(piece, status, headers);
    };
  }

  #requestOf(endpoint: Endpoint, request: ReadRequest<ReadName>, key: KeyName): SandboxRequest {
    const given = Object.entries(request.query ?? {}).filter(([, value]) => value !== undefined);
    return {
      method: endpoint.method,
      path: endpoint.path,
      query: Object.fromEntries(given.map(([name, value]) => [name, String(value)])),
      headers: { 'x-api-key': this.#o.keys[key] },
      body: request.body === undefined ? undefined : JSON.stringify(request.body),
    };
  }

  #heard(name: ReadName, ending: RawEnding): void {
    if (name !== 'liveListings' && name !== 'marketHealth') return;
    const heard = { at: this.#o.trueNow(), text: ending.kind === 'raw' ? Buffer.concat(ending.body).toString() : '' };
    if (name === 'marketHealth') this.#o.door.heardHealth(heard);
    else if (heard.text !== '') this.#o.door.heardFeed(heard);
  }

  #buy(order: BuyOrder, late: (outcome: BuyOutcome) => void): Promise<{ outcome: BuyOutcome; times: WireTimes }> {
    const { clock, network, door, boot, alive, trueNow, keys, tradeUrl, rates, onPost } = this.#o;
    onPost(order);
    const beganAt = clock.now();
    const body = JSON.stringify({ itemId: order.listingId, price: order.price, market: order.market, tradeUrl });
    return new Promise((resolve) => {
      let given = false;
      const flight = network.carry(
        { method: 'POST', path: endpoints.buy.path, query: {}, headers: { 'x-api-key': keys.account }, body },
        (ending) => {
          if (!alive()) return;
          post.delivered = { at: trueNow(), ending };
          const times = { sentAt: flight.sentAt, answeredAt: ending.kind === 'raw' ? clock.now() : undefined };
          void this.#outcome(ending, order, beganAt, post).then((outcome) => {
            if (!given) resolve({ outcome, times });
            else if (ending.kind === 'raw') late(outcome);
            given = true;
          });
          stop();
        },
        () => (alive() ? this.#leaves(order) : undefined),
      );
      const post = door.post({
        boot,
        at: trueNow(),
        market: order.market,
        listingId: order.listingId,
        price: order.price,
        carried: flight,
      });
      const stop = clock.after(rates.timeoutMs, () => {
        if (flight.sentAt === undefined) return flight.cancel('timeout', 'no connection in time');
        given = true;
        post.outcomes.push({ at: trueNow(), kind: 'unknown' });
        resolve({ outcome: timedOut(rates.timeoutMs), times: { sentAt: flight.sentAt, answeredAt: undefined } });
        clock.after(READ_ON_MS, () => flight.cancel('timeout', 'no answer in the minute after'));
      });
    });
  }

  /** Why it does not leave after all; undefined: it does. */
  #leaves(order: BuyOrder): string | undefined {
    const kept = this.#o.keptBack(order);
    if (kept === undefined) this.#o.onLeave(order);
    return kept;
  }

  async #outcome(ending: RawEnding, order: BuyOrder, beganAt: EpochMs, post: Post): Promise<BuyOutcome> {
    const { clock, trueNow } = this.#o;
    const backoff = this.#backoffs.account;
    const answer = await answerOf(ending, LARGEST);
    const outcome = classifyBuy(answer, order, clock.now(), serviceMessage);
    post.outcomes.push({ at: trueNow(), kind: outcome.kind });
    if (outcome.kind === 'bought') backoff.succeeded(beganAt);
    else if (outcome.cause === 'rate' || outcome.cause === 'ban') {
      backoff.slowed(outcome.cause, waitAskedBy(answer.headers, clock.now()), beganAt, outcome.message);
    }
    return outcome;
  }
}

function timedOut(timeoutMs: number): BuyOutcome {
  const message = `no whole answer within ${timeoutMs} ms`;
  return { kind: 'unknown', cause: 'timeout', message, status: undefined, upstreamOrderId: undefined, requestId: undefined };
}

function heed({ cause, message, retryAfterMs }: Fault, backoff: Backoff, beganAt: EpochMs): void {
  if (cause === 'rate' || cause === 'ban') backoff.slowed(cause, retryAfterMs, beganAt, message);
}

function slowed(backoff: Backoff): ReadOutcome {
  const retryAfterMs = Math.ceil(backoff.leftMs);
  const message = `not asked: the service wants us to slow down for another ${Math.ceil(retryAfterMs / 1_000)} s`;
  return { ok: false, fault: readFault({ cause: 'rate', message, sent: false, retryAfterMs }) };
}
