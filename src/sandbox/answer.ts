import type { EndpointName } from '../api/endpoints.ts';

/** One request as any transport brings it. Header names are lower case. */
export interface SandboxRequest {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly query: Readonly<Record<string, string | readonly string[]>>;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: string | undefined;
}

/** A request that a handler refuses. Status and code words are our assumption: the document shows none. */
export class Refused {
  readonly status: number;
  readonly code: string;
  readonly message: string;

  constructor(status: number, code: string, message: string) {
    this.status = status;
    this.code = code;
    this.message = message;
  }
}

/** Data whose JSON text is already at hand. */
export class Prepared {
  readonly text: string;
  readonly #make: () => unknown;

  constructor(text: string, make: () => unknown) {
    this.text = text;
    this.#make = make;
  }

  value(): unknown {
    return this.#make();
  }
}

/** What the exchange says to a request, before any fault of transport. */
export interface ApiAnswer {
  /** undefined: no such endpoint. */
  readonly endpoint: EndpointName | undefined;
  /** The calling account's id; undefined when the key is missing or unknown. */
  readonly account: string | undefined;
  readonly requestId: string;
  readonly status: number;
  readonly result:
    | { readonly success: true; readonly data: unknown }
    | { readonly success: false; readonly code: string | number; readonly message: string };
}

/** The envelope as text. */
export function envelopeText({ requestId, result }: ApiAnswer): string {
  if (!result.success) return JSON.stringify({ requestId, ...result });
  const data = result.data instanceof Prepared ? result.data.text : JSON.stringify(result.data);
  return `{"requestId":${JSON.stringify(requestId)},"success":true,"data":${data}}`;
}
