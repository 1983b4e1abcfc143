import type { AddressInfo } from 'node:net';
import type { Clock } from '../domain/clock.ts';
import { createSandbox, type Sandbox, type SandboxOptions } from './sandbox.ts';
import { sandboxServer } from './server.ts';
import { WebhookSender, type WebhookTarget } from './webhook-sender.ts';

export interface StartOptions extends Omit<SandboxOptions, 'onOrderEvents'> {
  /** Where the events of all accounts are posted to; left out: nowhere. */
  readonly webhooks?: WebhookTarget;
  /** 0: one that is free; default 0. */
  readonly port?: number;
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** Told when the books could not be kept while nobody asked for anything. */
  readonly onStoreFailure?: (error: unknown) => void;
}

export type RunningSandbox = Omit<Sandbox, 'close' | 'handle' | 'advance'> & {
  readonly baseUrl: string;
  /** Stops listening, breaks what is still open, keeps the books. */
  close(): Promise<void>;
};

/** How often the market moves on when nobody asks, milliseconds. */
const TICK_MS = 250;

/** Starts the exchange as an HTTP server whose market moves by itself. Rejects when it cannot listen or the options are wrong. */
export async function startSandbox(options: StartOptions): Promise<RunningSandbox> {
  const sender = options.webhooks && new WebhookSender(options.webhooks, options.clock);
  const sandbox = createSandbox({ ...options, ...(sender && { onOrderEvents: (deliveries) => sender.send(deliveries) }) });
  const app = sandboxServer(sandbox, options.clock);
  const { host = '127.0.0.1', port = 0 } = options;
  try {
    await app.listen({ host, port });
  } catch (error) {
    sandbox.close();
    throw error;
  }
  const address = app.server.address() as AddressInfo;
  const name = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  const stop = ticking(sandbox, options.clock, options.onStoreFailure);
  const close = async (): Promise<void> => {
    stop();
    await app.close();
    sandbox.close();
    await sender?.close();
  };
  const { handle: _handle, advance: _advance, ...open } = sandbox;
  return { ...open, baseUrl: `http://${name}:${address.port}`, close };
}

/** Moves the exchange on again and again; the returned function ends it. */
function ticking(sandbox: Sandbox, clock: Clock, onFailure: (error: unknown) => void = () => undefined): () => void {
  let cancel = (): void => undefined;
  const next = (): void => {
    cancel = clock.after(TICK_MS, () => {
      try {
        sandbox.advance();
      } catch (error) {
        onFailure(error);
      }
      next();
    });
  };
  next();
  return () => cancel();
}
