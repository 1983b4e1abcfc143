// What the page takes from the browser: clock, timers, requests, the address bar. Everything else here is handed it.

export function nowMs(): number {
  return Date.now();
}

/** Calls `work` once after that time; the returned function cancels it. */
export function after(ms: number, work: () => void): () => void {
  const timer = setTimeout(work, ms);
  return () => clearTimeout(timer);
}

export function every(ms: number, work: () => void): () => void {
  const timer = setInterval(work, ms);
  return () => clearInterval(timer);
}

export interface Got<T> {
  readonly status: number;
  readonly value: T | undefined;
  readonly message: string;
}

/** Asks our own server. Never rejects: what cannot be reached has status 0. */
export async function ask<T>(path: string, init: RequestInit = {}): Promise<Got<T>> {
  try {
    const response = await fetch(path, { credentials: 'same-origin', cache: 'no-store', ...init });
    const body = (await response.json()) as T & { readonly message?: string };
    return { status: response.status, value: response.ok ? body : undefined, message: body.message ?? '' };
  } catch (error) {
    return { status: 0, value: undefined, message: error instanceof Error ? error.message : String(error) };
  }
}

export function tell(path: string, body: unknown): Promise<Got<unknown>> {
  return ask(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
}

/** The part of the address behind `#`, without it. */
export function place(): string {
  return location.hash.slice(1);
}

export function goTo(where: string): void {
  location.hash = where;
}

/** Changes the address without a step that could be gone back to. */
export function replacePlace(where: string): void {
  history.replaceState(null, '', `#${where}`);
}

export function onPlace(work: () => void): void {
  addEventListener('hashchange', work);
}

/** The page is looked at again, or the network is back: whatever was waiting need wait no longer. */
export function onWake(work: () => void): void {
  addEventListener('online', work);
  addEventListener('pageshow', work);
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) work();
  });
}

export function entitle(title: string): void {
  document.title = title;
}

/** For who does not see: the view has changed, and reading begins there. */
export function focusOn(id: string): void {
  document.getElementById(id)?.focus({ preventScroll: true });
  scrollTo(0, 0);
}

/** Opens the stream of events; the returned function closes it. */
export function listen(
  path: string,
  on: { readonly open: () => void; readonly event: (name: string, data: string) => void; readonly broken: () => void },
  names: readonly string[],
): () => void {
  const source = new EventSource(path);
  source.addEventListener('open', on.open);
  source.addEventListener('error', on.broken);
  for (const name of names) source.addEventListener(name, (event: MessageEvent<string>) => on.event(name, event.data));
  return () => source.close();
}
