import { onTestFinished } from 'vitest';
import { type Manners, HostileServer, type SeenRequest, httpAnswer } from '../gateway/hostile-server.ts';

type Socket = HostileServer['sockets'][number];

/** What a request is answered: bytes to be written, or what is done to its socket instead. */
type Answered = Buffer | ((socket: Socket) => void);
type Script = (request: SeenRequest) => Answered;

/** How each question is answered; what is left out is answered by a service that is well and sells nothing. */
export interface Scripts {
  readonly live?: Script;
  readonly health?: Script;
  readonly user?: Script;
  readonly orders?: Script;
  readonly transactions?: Script;
  readonly detail?: Script;
  readonly buy?: Script;
}

const paths: Readonly<Record<string, keyof Scripts>> = {
  'GET /v2/partner/live/listings': 'live',
  'GET /v1/partner/market-health': 'health',
  'GET /v1/user': 'user',
  'GET /v1/user/orders': 'orders',
  'GET /v1/user/transactions': 'transactions',
  'POST /v2/partner/listing-detail': 'detail',
  'POST /v2/market/buy': 'buy',
};

/** A service that says what it is told to, whatever that is: for answers that no exchange would give. */
export class ScriptedService {
  readonly server: HostileServer;
  readonly #scripts: Scripts;

  private constructor(server: HostileServer, scripts: Scripts) {
    this.server = server;
    this.#scripts = scripts;
  }

  /** Closed after the test. */
  static async open(scripts: Scripts = {}): Promise<ScriptedService> {
    const server = await HostileServer.start({});
    const service = new ScriptedService(server, scripts);
    const manners: Manners = { answer: (socket, request) => service.#answer(socket, request) };
    server.behave(manners);
    onTestFinished(() => server.close());
    return service;
  }

  /** What a daemon needs to be sent here. */
  get address(): { baseUrl: string; childKey: string; topLevelKey: string; tradeUrl: string } {
    const tradeUrl = 'https://steamcommunity.com/tradeoffer/new/?partner=123456789&token=canaryTK';
    return {
      baseUrl: this.server.url,
      childKey: 'sandbox-child-0123456789abcdef0123456789abcdef',
      topLevelKey: 'sandbox-top-level-0123456789abcdef0123456789abcdef',
      tradeUrl,
    };
  }

  /** How often a question was asked. */
  asked(question: keyof Scripts): number {
    return this.server.requests.filter((request) => questionOf(request) === question).length;
  }

  #answer(socket: Socket, request: SeenRequest): void {
    const question = questionOf(request);
    const script = question && { ...well, ...this.#scripts }[question];
    const answered = script?.(request) ?? httpAnswer(404, '{"success":false}');
    if (Buffer.isBuffer(answered)) socket.write(answered);
    else answered(socket);
  }
}

function questionOf({ method, path }: SeenRequest): keyof Scripts | undefined {
  return paths[`${method} ${path.split('?')[0]}`];
}

/** The envelope of a success. */
export function success(data: unknown, headers: Readonly<Record<string, string>> = {}): Buffer {
  const body = { requestId: `r-${Math.random()}`, success: true, data };
  return httpAnswer(200, JSON.stringify(body), { date: new Date().toUTCString(), ...headers });
}

export function listings(entries: readonly unknown[]): Buffer {
  return success({ listings: entries, listingsCount: entries.length });
}

export function failure(status: number, code: string, message: string, headers: Readonly<Record<string, string>> = {}): Buffer {
  return httpAnswer(status, JSON.stringify({ requestId: 'r', success: false, code, message }), headers);
}

export function profile(balance = 1_000, id = 'a1b2c3d4e5f60718293a4b5c'): Buffer {
  const twoFactor = { enabled: false, method: null };
  const subscription = { active: false, nextBilling: null, cancelAtPeriodEnd: false };
  return success({ type: 'apiKey', message: 'profile', profile: { id, balance, twoFactor, subscription, chatAccount: null } });
}

const market = { status: 'ok', staleMs: 100 };

const well: Required<Scripts> = {
  live: () => listings([]),
  health: () =>
    success({ status: 'ok', ts: Date.now(), markets: { c5: market, ecosteam: market }, service: { c5: true, ecosteam: true } }),
  user: () => profile(),
  orders: () => success({ total: 0, returned: 0, orders: [], message: 'orders' }),
  transactions: () => success({ total: 0, transactions: [], message: 'transactions' }),
  detail: () => success({ items: [] }),
  buy: () => failure(410, 'LISTING_NOT_FOUND', 'the listing is not for sale'),
};
