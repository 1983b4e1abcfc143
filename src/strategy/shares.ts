import { type Micros, type Share, micros } from '../domain/money.ts';

/** The largest whole amount within a share of a reference, for display; cut where it would be beyond any price. */
export function partOf(steam: Micros, { numerator, denominator }: Share): Micros {
  const exact = (BigInt(steam) * numerator) / denominator;
  return micros(Number(exact > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : exact));
}

/** 0.7 as "70 %", with the digits it was written with. */
export function percent(share: number): string {
  return `${Number((share * 100).toPrecision(12))} %`;
}
