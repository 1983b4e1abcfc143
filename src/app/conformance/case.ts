import { checkDocument, checkEnvelope } from '../../api/document-shapes.ts';
import { endpoints, type Endpoint, type EndpointName } from '../../api/endpoints.ts';
import { printable } from '../../domain/text.ts';
import type { ProbeAnswer } from '../../gateway/probe.ts';
import type { Asking } from './asking.ts';

/** What came of holding a service against one statement of the document. */
export type Verdict =
  | { readonly kind: 'agrees' }
  | { readonly kind: 'differs'; readonly found: string }
  /** It could not be asked here: a key that may not, nothing on sale to ask about, a request that the document does not show. */
  | { readonly kind: 'skipped'; readonly found: string }
  /** No answer that says anything: a time-out, a 5xx, a page of a proxy. */
  | { readonly kind: 'unclear'; readonly found: string };

/** One statement of the document, as a thing to try. */
export interface Case {
  readonly endpoint: EndpointName;
  /** What the document calls it: a section and a number, a resource, an endpoint. */
  readonly rules: readonly string[];
  /** What is asked and expected, in words. */
  readonly what: string;
  /** It moves play money, or makes something: never asked of a real service. */
  readonly changes: boolean;
  judge(asking: Asking): Promise<Verdict>;
}

export const agrees: Verdict = { kind: 'agrees' };
export const differs = (found: string): Verdict => ({ kind: 'differs', found });
export const skipped = (found: string): Verdict => ({ kind: 'skipped', found });
const unclear = (found: string): Verdict => ({ kind: 'unclear', found });

/** `GET /v1/user` */
export function nameOf(name: EndpointName): string {
  const { method, path } = endpoints[name];
  return `${method} ${path}`;
}

/** A success with its data, or what is to be said of the answer instead. */
export type Success = { readonly ok: true; readonly data: unknown } | { readonly ok: false; readonly verdict: Verdict };

/** Whether a right request was answered as one. */
export function successOf(name: EndpointName, answer: ProbeAnswer): Success {
  const no = (verdict: Verdict): Success => ({ ok: false, verdict });
  const row: Endpoint = endpoints[name];
  if (answer.kind === 'none') return no(unclear(answer.why));
  const { status, json, why } = answer;
  const said = saidBy(answer);
  if (isPassing(status)) return no(unclear(said));
  if ((status === 401 || status === 403) && row.auth !== 'key')
    return no(skipped(`the key may not ask this: it needs a ${row.auth} key (${said})`));
  if (json === undefined) return no(differs(`the answer is no JSON object: ${why ?? said}`));
  if (status >= 200 && status < 300 && json['success'] !== false) return { ok: true, data: json['data'] };
  const isOurs = row.request === 'open' && status < 500;
  return no(
    isOurs ? skipped(`the document does not show the request, and ours is refused: ${said}`) : differs(`refused: ${said}`),
  );
}

/** Envelope and data of a success against the document, the data only where it shows them. */
export function shapeVerdict(name: EndpointName, answer: ProbeAnswer): Verdict {
  const success = successOf(name, answer);
  if (!success.ok) return success.verdict;
  const outer = checkEnvelope(answer.kind === 'answered' ? answer.json : undefined);
  if (outer !== undefined) return differs(`envelope: ${outer}`);
  const wrong = checkDocument(name, success.data);
  return wrong === undefined ? agrees : differs(`data: ${wrong}`);
}

/** Whether a wrong request was refused. */
export function refusalVerdict(name: EndpointName, answer: ProbeAnswer): Verdict {
  if (answer.kind === 'none') return unclear(answer.why);
  const said = saidBy(answer);
  if (isPassing(answer.status)) return unclear(said);
  const isKey = answer.status === 401 || answer.status === 403;
  if (isKey && endpoints[name].auth !== 'key') return skipped(`the key may not ask this (${said})`);
  const taken = answer.status >= 200 && answer.status < 300 && answer.json?.['success'] !== false;
  return taken ? differs(`taken, where the document has it refused (${said})`) : agrees;
}

/** Status, code, message and requestId, as far as they came. */
function saidBy(answer: ProbeAnswer): string {
  if (answer.kind === 'none') return answer.why;
  const { status, json, why } = answer;
  const text = (name: string): string | undefined => {
    const value = json?.[name];
    return typeof value === 'string' || typeof value === 'number' ? printable(String(value)) : undefined;
  };
  const words = [text('code'), text('message') ?? (json === undefined ? why : undefined)].filter((word) => word !== undefined);
  const id = text('requestId');
  return `HTTP ${status}${words.length === 0 ? '' : `: ${words.join(': ')}`}${id === undefined ? '' : `, requestId ${id}`}`;
}

/** These say nothing about what was asked. */
function isPassing(status: number): boolean {
  return status === 429 || status >= 500;
}
