import { faultRates, isExchangeFaultName, type ExchangeFaultRates } from '../domain/exchange-fault.ts';
import type { SandboxRequest } from './answer.ts';
import type { BooksView } from './audit.ts';
import { failNext, putUp, reprice, sellToRival, standingListings, type Done, type Handles } from './control-market.ts';
import type { SandboxAnswer } from './sandbox-answer.ts';

/** The header that carries the control key. */
const CONTROL_HEADER = 'x-sandbox-control';

interface Controls {
  readonly controlKey: string;
  books(): BooksView;
  setFaults(rates: Partial<ExchangeFaultRates>): void;
  rates(): ExchangeFaultRates;
  /** For tests that move the market themselves; undefined: nobody may. */
  readonly handles: Handles | undefined;
}

/** Whether a request is for the sandbox itself, which is no part of the partner API. */
export function isControlPath(path: string): boolean {
  return path.startsWith('/sandbox/');
}

/**
 * GET /sandbox/books: the truth. GET and POST /sandbox/faults: the rates, read and set. The others, which move the market, only where
 * that was asked for at the start. All of it only with the control key.
 */
export function answerControl(request: SandboxRequest, controls: Controls): SandboxAnswer {
  if (request.headers[CONTROL_HEADER] !== controls.controlKey)
    return answer(403, { message: `the header ${CONTROL_HEADER} does not hold the control key printed at the start` });
  switch (`${request.method} ${request.path}`) {
    case 'GET /sandbox/books':
      return answer(200, controls.books());
    case 'GET /sandbox/faults':
      return answer(200, controls.rates());
    case 'POST /sandbox/faults':
      return setFaults(request.body ?? '', controls);
    default:
      return moved(request, controls.handles);
  }
}

const moves: Readonly<Record<string, (handles: Handles, given: Readonly<Record<string, unknown>>) => Done>> = {
  'GET /sandbox/listings': standingListings,
  'POST /sandbox/listings': putUp,
  'POST /sandbox/price': reprice,
  'POST /sandbox/sell': sellToRival,
  'POST /sandbox/next': failNext,
};

function moved({ method, path, body = '' }: SandboxRequest, handles: Handles | undefined): SandboxAnswer {
  const asked = `${method} ${path}`;
  const move = Object.hasOwn(moves, asked) ? moves[asked] : undefined;
  if (!move)
    return answer(404, {
      message: `there are GET /sandbox/books, GET /sandbox/faults, POST /sandbox/faults, ${Object.keys(moves).join(', ')}`,
    });
  if (!handles) return answer(403, { message: 'this exchange was not started with --control' });
  const given = method === 'GET' ? {} : objectIn(body);
  if (!given) return answer(400, { message: 'the body must be a JSON object' });
  const done = move(handles, given);
  return done.ok ? answer(200, done.value) : answer(400, { message: done.why });
}

function objectIn(body: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function setFaults(body: string, controls: Controls): SandboxAnswer {
  const rates = ratesIn(body);
  if (typeof rates === 'string') return answer(400, { message: rates });
  controls.setFaults(rates);
  return answer(200, controls.rates());
}

function ratesIn(body: string): Partial<ExchangeFaultRates> | string {
  try {
    const given = JSON.parse(body) as Partial<ExchangeFaultRates>;
    const unknown = Object.keys(given).find((name) => !isExchangeFaultName(name));
    return unknown === undefined ? faultRates(given) : `there is no fault "${unknown}"`;
  } catch (error) {
    return error instanceof Error ? error.message : 'the body is not JSON';
  }
}

function answer(status: number, value: unknown): SandboxAnswer {
  return { status, headers: { 'content-type': 'application/json; charset=utf-8' }, bodyText: JSON.stringify(value), delayMs: 0 };
}
