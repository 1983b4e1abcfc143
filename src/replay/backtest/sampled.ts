/** Rates of going are fitted on no more offers: further ones make them no better and take longer. */
export const OFFERS_MAX = 200_000;

/** Of so many offers, every how-manyeth is taken: a power of two, so that who counts them one by one leaves out no more than is left out at the end. */
export function strideOf(count: number): number {
  let stride = 1;
  while (count > stride * OFFERS_MAX) stride *= 2;
  return stride;
}
