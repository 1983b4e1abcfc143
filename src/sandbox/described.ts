import { openApi } from '../api/openapi.ts';
import type { SandboxAnswer } from './sandbox-answer.ts';

let text: string | undefined;

/** GET /openapi.json: what is served here, for programs; no part of the partner API, and open to everybody. */
export function described(): SandboxAnswer {
  text ??= JSON.stringify(openApi());
  return { status: 200, headers: { 'content-type': 'application/json; charset=utf-8' }, bodyText: text, delayMs: 0 };
}
