import { batch, effect, signal } from '@preact/signals';
import type { Decision, Everybody, Status } from './answers.ts';
import { after, ask, every, listen, nowMs, onWake } from './browser.ts';
import { account, asked } from './where.ts';

export type Line = 'connecting' | 'live' | 'lost';

/** Whether somebody may see anything: undefined until the server has said so. */
export const mayEnter = signal<boolean | undefined>(undefined);
export const line = signal<Line>('connecting');
/** Of the account that is looked at. */
export const status = signal<Status | undefined>(undefined);
/** Of several together; undefined where there is only one. */
export const everybody = signal<Everybody | undefined>(undefined);
/** No account is called as the address says. */
export const isStranger = signal(false);
/** The newest decisions, and how many there were since the page was opened. */
export const justDecided = signal<readonly Decision[]>([]);
export const decidedCount = signal(0);
/** They grow with whatever may make an answer another. */
export const decisionsVersion = signal(0);
export const purchasesVersion = signal(0);
/** The server's idea of the time, once a second. */
export const now = signal(nowMs());

/** Why the server cannot tell how things stand; undefined while it can. */
export const trouble = signal<string | undefined>(undefined);

/** Decisions that are kept: a page that is open for a week must not grow. */
const KEPT = 8;
/** The server speaks every five seconds: after this it has gone, whatever the browser believes. */
const SILENT_MS = 12_000;
const TRY_AGAIN_MS = [500, 1_000, 2_000, 5_000, 10_000] as const;
/** Timers that come so late have slept. */
const SLEPT_MS = 4_000;

const events = ['status', 'decisions', 'purchases', 'trouble'] as const;

let ahead = 0;
let heardAt = 0;
let tries = 0;
let hangUp = (): void => undefined;
let cancelTry = (): void => undefined;

/** Begins to listen, and goes on for as long as the page is there. */
export function start(): void {
  let tickedAt = nowMs();
  every(1_000, () => {
    const at = nowMs();
    const slept = at - tickedAt > SLEPT_MS;
    tickedAt = at;
    now.value = at + ahead;
    if (mayEnter.value === true && (slept || at - heardAt > SILENT_MS)) reconnect();
  });
  onWake(() => {
    if (mayEnter.value === true && (line.value !== 'live' || nowMs() - heardAt > SILENT_MS / 2)) reconnect();
  });
  effect(() => {
    void account.value;
    startAnew();
  });
}

/** Another account is looked at: nothing of the one before may stay in sight. */
function startAnew(): void {
  batch(() => {
    status.value = undefined;
    isStranger.value = false;
    justDecided.value = [];
    decidedCount.value = 0;
  });
  tries = 0;
  void connect();
}

export function reconnect(): void {
  tries = 0;
  void connect();
}

export function leave(): void {
  hangUp();
  cancelTry();
  batch(() => {
    mayEnter.value = false;
    status.value = undefined;
    everybody.value = undefined;
    justDecided.value = [];
  });
}

/** Where things stand first, which also tells whether we may ask; then what happens. */
async function connect(): Promise<void> {
  hangUp();
  cancelTry();
  heardAt = nowMs();
  const of = account.peek();
  const got = await ask<Status | Everybody>(asked('api/status'));
  // Another account was chosen meanwhile, which is asked for by itself.
  if (of !== account.peek()) return;
  if (got.status === 401) return leave();
  if (got.status === 404) return unknownAccount();
  if (got.value === undefined) return lost();
  const { value } = got;
  batch(() => {
    mayEnter.value = true;
    take(value);
    decisionsVersion.value += 1;
    purchasesVersion.value += 1;
  });
  hangUp();
  hangUp = listen(asked('api/events'), { open: opened, event: hear, broken: lost }, events);
}

function unknownAccount(): void {
  batch(() => {
    mayEnter.value = true;
    isStranger.value = true;
    line.value = 'live';
  });
}

function opened(): void {
  tries = 0;
  heardAt = nowMs();
  line.value = 'live';
}

function lost(): void {
  hangUp();
  cancelTry();
  const wait = TRY_AGAIN_MS[Math.min(tries, TRY_AGAIN_MS.length - 1)] ?? 10_000;
  tries += 1;
  batch(() => {
    line.value = tries > 1 || status.value === undefined ? 'lost' : line.value === 'live' ? 'connecting' : line.value;
  });
  cancelTry = after(wait, () => void connect());
}

function hear(name: string, data: string): void {
  heardAt = nowMs();
  const value = JSON.parse(data) as unknown;
  batch(() => {
    line.value = 'live';
    if (name === 'trouble') trouble.value = (value as { readonly message: string }).message;
    else if (name === 'status') take(value as Status | Everybody);
    else if (name === 'purchases') purchasesVersion.value += 1;
    else if (name === 'decisions') {
      const { newest, decided } = value as { readonly newest: readonly Decision[]; readonly decided: number };
      justDecided.value = [...newest, ...justDecided.value].slice(0, KEPT);
      decidedCount.value += decided;
      decisionsVersion.value += 1;
    }
  });
}

function take(value: Status | Everybody): void {
  ahead = Date.parse(value.now) - nowMs();
  now.value = Date.parse(value.now);
  trouble.value = undefined;
  if ('accounts' in value) {
    everybody.value = value;
    // Of several together nothing else is told of: whatever is listed of them may be another.
    purchasesVersion.value += 1;
  } else status.value = value;
}
