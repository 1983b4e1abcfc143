import { ZERO, type Micros } from '../domain/money.ts';
import { seededRandom, type Random } from '../domain/random.ts';

/** One account context: what a key sees. Saved as it is. */
export interface Account {
  /** 24 hex characters. */
  readonly id: string;
  readonly key: string;
  readonly kind: 'top-level' | 'child';
  readonly name: string;
  /** Where the partner knows a child by; accounts of older books have none. */
  readonly email?: string;
  readonly tradeUrl: string;
  readonly balance: Micros;
}

/** A hex text of the given length. */
export function hexText(random: Random, length: number): string {
  let text = '';
  for (let at = 0; at < length; at++) text += Math.floor(random.next() * 16).toString(16);
  return text;
}

/** A version 4 UUID. */
export function uuid(random: Random): string {
  const hex = hexText(random, 32);
  const variant = '89ab'[Math.floor(random.next() * 4)] ?? '8';
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`;
}

/** The accounts of a seed, one top-level and `children` child ones: the same keys at every start. */
export function accountsOf(seed: number, children: number, balance: Micros): Account[] {
  return Array.from({ length: children + 1 }, (_, index) => {
    const random = seededRandom(seed, `account/${index}`);
    const kind = index === 0 ? 'top-level' : 'child';
    const id = hexText(random, 24);
    const key = `sandbox-${kind}-${hexText(random, 32)}`;
    const partner = 100_000_000 + Math.floor(random.next() * 900_000_000);
    const tradeUrl = `https://steamcommunity.com/tradeoffer/new/?partner=${partner}&token=${hexText(random, 8)}`;
    const name = index === 0 ? 'sandbox partner' : `sandbox child ${index}`;
    return { id, key, kind, name, email: `${index === 0 ? 'partner' : `child${index}`}@sandbox.example`, tradeUrl, balance };
  });
}

/** A child account that a partner has made: nothing on it yet. */
export function childAccount(random: Random, email: string, name: string): Account {
  const id = hexText(random, 24);
  const key = `sandbox-child-${hexText(random, 32)}`;
  const tradeUrl = `https://steamcommunity.com/tradeoffer/new/?partner=${100_000_000 + Math.floor(random.next() * 900_000_000)}&token=${hexText(random, 8)}`;
  return { id, key, kind: 'child', name, email, tradeUrl, balance: ZERO };
}

/** Whether a key is one that `accountsOf` makes: the same at every start on every machine, and good for play money only. */
export function isPlayKey(key: string): boolean {
  return /^sandbox-(?:top-level|child)-[0-9a-f]{32}$/.test(key);
}

/** The key that opens the auditor's view; no part of the partner API. */
export function controlKeyOf(seed: number): string {
  return `sandbox-control-${hexText(seededRandom(seed, 'control'), 32)}`;
}
