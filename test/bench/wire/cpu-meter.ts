import { subscribe } from 'node:diagnostics_channel';
import type { Stretch } from '../profiling.ts';

interface Seen {
  readonly request: { readonly method: string; readonly path: string };
}

/** What the process has spent on a snapshot: the message that follows each buy. */
export interface Spent {
  readonly cpuMs: number;
}

const stretches: Stretch[] = [];

/** From the first bytes of each answer to the buy that it led to. */
export function hotStretches(): readonly Stretch[] {
  return stretches;
}

/**
 * Tells the parent with each buy what CPU time this process has used since the first bytes of the answer that led to it: undici says
 * when both pass, whoever it works for. It is told when the buy is on its way, so that the telling delays none.
 */
export function tellCpu(): void {
  let began: { readonly at: number; readonly usage: NodeJS.CpuUsage } | undefined;
  subscribe('undici:request:headers', (message) => {
    if ((message as Seen).request.path.endsWith('/live/listings')) began = { at: nowMicros(), usage: process.cpuUsage() };
  });
  subscribe('undici:client:sendHeaders', (message) => {
    if (began === undefined || (message as Seen).request.method !== 'POST') return;
    const { user, system } = process.cpuUsage(began.usage);
    stretches.push({ from: began.at, to: nowMicros() });
    began = undefined;
    setImmediate(() => process.send?.({ cpuMs: (user + system) / 1_000 } satisfies Spent));
  });
}

function nowMicros(): number {
  return Number(process.hrtime.bigint() / 1_000n);
}

export function isSpent(message: unknown): message is Spent {
  return typeof message === 'object' && message !== null && 'cpuMs' in message;
}
