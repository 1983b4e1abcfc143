import type { Effect } from '../../engine/effect.ts';
import type { Event } from '../../engine/event.ts';
import type { ReadName, Reply, Service } from '../../engine/ports.ts';
import type { PollResult } from '../../engine/snapshot.ts';

/** Hears of what is done, once it was done; nothing waits for it. It must not throw, and must be quick. */
export interface Observer {
  /** The engine has worked on an event, and what it led to was obeyed. */
  stepped(event: Event, effects: readonly Effect[]): void;
  /** A poll has come to something, a turn of the event loop ago. */
  polled(poll: PollResult): void;
}

/** The same service, of whose answers somebody hears besides: whoever asked waits no longer for that. */
export function overheard(service: Service, hear: (name: ReadName, reply: Reply<unknown>) => void): Service {
  return {
    read: (name, request) => {
      const reply = service.read(name, request);
      // That it failed is for whoever has asked.
      void reply.then(
        (each) => hear(name, each),
        () => undefined,
      );
      return reply;
    },
  };
}
