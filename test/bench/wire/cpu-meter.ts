import { subscribe } from 'node:diagnostics_channel';

interface Seen {
  readonly request: { readonly method: string; readonly path: string };
}

/** What the process has spent on a snapshot: the message that follows each buy. */
export interface Spent {
  readonly cpuMs: number;
}

/**
 * Tells the parent with each buy what CPU time this process has used since the first bytes of the answer that led to it: undici says
 * when both pass, whoever it works for. It is told when the buy is on its way, so that the telling delays none.
 */
export function tellCpu(): void {
  let began: NodeJS.CpuUsage | undefined;
  subscribe('undici:request:headers', (message) => {
    if ((message as Seen).request.path.endsWith('/live/listings')) began = process.cpuUsage();
  });
  subscribe('undici:client:sendHeaders', (message) => {
    if (began === undefined || (message as Seen).request.method !== 'POST') return;
    const { user, system } = process.cpuUsage(began);
    began = undefined;
    setImmediate(() => process.send?.({ cpuMs: (user + system) / 1_000 } satisfies Spent));
  });
}

export function isSpent(message: unknown): message is Spent {
  return typeof message === 'object' && message !== null && 'cpuMs' in message;
}
