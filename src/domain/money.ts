declare const microsBrand: unique symbol;

/** An exact amount of money in micro-dollars (1 dollar = 1,000,000). Always a safe integer. */
export type Micros = number & { readonly [microsBrand]: true };

/** Beyond this an amount is a slip or a swap of columns; sums and products of what is below stay exact. */
export const DOLLARS_MAX = 1_000_000_000;

export const MICROS_PER_DOLLAR = 1_000_000;
export const CENT = 10_000 as Micros;
export const ZERO = 0 as Micros;
/** What can be counted exactly at most: no cap is as high. */
export const MICROS_MAX = Number.MAX_SAFE_INTEGER as Micros;

/** Below this many dollars a double still tells every micro-dollar apart, so the fast path is exact. */
const FAST_DOLLARS = 1_000_000_000;

/** Wraps a whole number of micro-dollars. Throws RangeError when it is no safe integer: that is a broken invariant. */
export function micros(value: number): Micros {
  if (!Number.isSafeInteger(value)) throw new RangeError(`not a whole number of micro-dollars: ${value}`);
  return (value === 0 ? 0 : value) as Micros;
}

/**
 * Dollars as received (a JSON or YAML number) to exact micro-dollars, by the number's decimal text and never by
 * multiplying. Digits beyond the sixth decimal go `up` for what we may be charged and `down` for what a thing is worth.
 * Returns undefined for NaN, infinities and amounts beyond a safe integer.
 */
export function microsFromDollars(dollars: number, rounding: 'up' | 'down'): Micros | undefined {
  if (!Number.isFinite(dollars)) return undefined;
  if (Math.abs(dollars) < FAST_DOLLARS) {
    const near = Math.round(dollars * MICROS_PER_DOLLAR);
    if (near / MICROS_PER_DOLLAR === dollars) return micros(near);
  }
  return fromDecimalText(String(dollars), rounding);
}

function fromDecimalText(text: string, rounding: 'up' | 'down'): Micros | undefined {
  const parts = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/.exec(text);
  if (!parts) return undefined;
  const [, sign, whole = '', fraction = '', exponent = '0'] = parts;
  const shift = 6 + Number(exponent) - fraction.length;
  const digits = BigInt(whole + fraction);
  let scaled: bigint;
  if (shift >= 0) {
    if (shift > 30) return undefined;
    scaled = digits * 10n ** BigInt(shift);
  } else {
    const divisor = 10n ** BigInt(-shift);
    const negative = sign === '-';
    const awayFromZero = (rounding === 'up') !== negative;
    scaled = digits / divisor + (awayFromZero && digits % divisor !== 0n ? 1n : 0n);
  }
  const value = Number(sign === '-' ? -scaled : scaled);
  return Number.isSafeInteger(value) ? micros(value) : undefined;
}

/** Micro-dollars to the nearest double in dollars: for JSON output and display only, never to compute on. */
export function dollarsFromMicros(amount: Micros): number {
  return amount / MICROS_PER_DOLLAR;
}

export function add(a: Micros, b: Micros): Micros {
  return micros(a + b);
}

export function subtract(a: Micros, b: Micros): Micros {
  return micros(a - b);
}

/** All of them together, in whatever order. Throws RangeError when that is beyond counting. */
export function sum(amounts: readonly Micros[]): Micros {
  let total = 0;
  // Exact for as long as it stays a safe integer on the way.
  for (const amount of amounts) {
    total += amount;
    if (!Number.isSafeInteger(total)) return bigSum(amounts);
  }
  return micros(total);
}

function bigSum(amounts: readonly Micros[]): Micros {
  let total = 0n;
  for (const amount of amounts) total += BigInt(amount);
  return micros(Number(total));
}

/** A share such as 0.70, kept as an exact fraction so that `price <= share * reference` can be compared without rounding. */
export interface Share {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

/** A share from a configuration number, by its decimal text. Returns undefined for what is not finite or negative. */
export function shareFromNumber(value: number): Share | undefined {
  if (!Number.isFinite(value) || value < 0) return undefined;
  const parts = /^(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/.exec(String(value));
  if (!parts) return undefined;
  const [, whole = '', fraction = '', exponent = '0'] = parts;
  const scale = fraction.length - Number(exponent);
  const digits = BigInt(whole + fraction);
  return scale >= 0
    ? { numerator: digits, denominator: 10n ** BigInt(scale) }
    : { numerator: digits * 10n ** BigInt(-scale), denominator: 1n };
}

/** The largest whole amount that is at most `share` of `amount` (amount not negative). */
export function shareOf(amount: Micros, share: Share): Micros {
  return micros(Number((BigInt(amount) * share.numerator) / share.denominator));
}

/** `amount ≤ share × of`, exactly: in doubles where both products are whole numbers that a double holds, else in bigints. */
export function withinShare({ numerator, denominator }: Share): (amount: Micros, of: Micros) => boolean {
  const [above, below] = [Number(numerator), Number(denominator)];
  return (amount, of) => {
    const left = amount * below;
    const right = of * above;
    if (Math.abs(left) <= Number.MAX_SAFE_INTEGER && right <= Number.MAX_SAFE_INTEGER) return left <= right;
    return BigInt(amount) * denominator <= BigInt(of) * numerator;
  };
}

/** What is left of the whole without a share of at most 1. */
export function withoutShare({ numerator, denominator }: Share): Share {
  return { numerator: denominator - numerator, denominator };
}

/** "$1.50", "$0.0375": two decimals, or as many as it takes to be exact. */
export function formatDollars(amount: Micros): string {
  const sign = amount < 0 ? '-' : '';
  const absolute = Math.abs(amount);
  const whole = Math.floor(absolute / MICROS_PER_DOLLAR);
  const fraction = String(absolute % MICROS_PER_DOLLAR)
    .padStart(6, '0')
    .replace(/0{1,4}$/, '');
  return `${sign}$${whole}.${fraction}`;
}
