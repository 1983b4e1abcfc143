import { InvalidArgumentError } from 'commander';

/** What a transfer moves at most, in cents: more is a slip of the point. */
const CENTS_MAX = 1_000_000_000;

/** Dollars as a person writes them (`250`, `19.90`) to whole cents, by their text and never by multiplying a fraction. */
export function centsGiven(text: string): number {
  const parts = /^\$?(\d{1,8})(?:\.(\d{1,2}))?$/.exec(text.trim());
  const cents = parts === null ? 0 : Number(parts[1]) * 100 + Number((parts[2] ?? '').padEnd(2, '0'));
  if (cents >= 1 && cents <= CENTS_MAX) return cents;
  throw new InvalidArgumentError('Dollars from 0.01 to 10000000 are needed, with two decimals at most: 250 or 19.90.');
}

/** `$1,234.50` of whole cents. */
export function centsText(cents: number): string {
  const dollars = String(Math.floor(cents / 100)).replace(/\B(?=(?:\d{3})+$)/g, ',');
  return `$${dollars}.${String(cents % 100).padStart(2, '0')}`;
}
