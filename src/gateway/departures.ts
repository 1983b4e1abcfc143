import { subscribe } from 'node:diagnostics_channel';
import type { Dispatcher } from 'undici';

/** Requests of ours that undici has made and not yet written, each with what to call when its headers leave. */
const awaiting = new WeakMap<object, () => void>();
let claimed: (() => void) | undefined;

// undici makes its request while `dispatch` runs, so the one that is made meanwhile is the one that was asked for. The channels are
// shared by every undici in the process: what is not in the map is not ours. A subscriber must never throw.
subscribe('undici:request:create', (message) => {
  if (claimed) awaiting.set(requestOf(message), claimed);
  claimed = undefined;
});
subscribe('undici:client:sendHeaders', (message) => awaiting.get(requestOf(message))?.());

function requestOf(message: unknown): object {
  return (message as { readonly request: object }).request;
}

/** Dispatches, and calls `onDeparture` at the moment before this very request's headers are written to its socket. */
export function dispatchWatched(
  dispatcher: Pick<Dispatcher, 'dispatch'>,
  options: Dispatcher.DispatchOptions,
  handler: Dispatcher.DispatchHandler,
  onDeparture: () => void,
): void {
  claimed = onDeparture;
  try {
    dispatcher.dispatch(options, handler);
  } finally {
    claimed = undefined;
  }
}
