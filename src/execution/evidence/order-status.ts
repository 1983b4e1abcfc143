const EARLY = new Set(['INITIATED', 'PENDING', 'ACTIVE']);
const BROKEN = new Set(['FAILED', 'REVERTED']);
const HEARD_OF = new Set([...EARLY, 'HOLD', 'COMPLETED', ...BROKEN]);

/** The order has not got as far as the trade hold. */
export function isEarly(statusCode: string): boolean {
  return EARLY.has(statusCode);
}

/** The seller has sent the trade offer, as far as the names of the document tell: somebody must accept it. */
export function awaitsAcceptance(statusCode: string): boolean {
  return statusCode === 'ACTIVE';
}

/** The order failed or was reverted: its money is due back. */
export function isBroken(statusCode: string | undefined): boolean {
  return statusCode !== undefined && BROKEN.has(statusCode);
}

/** The document knows the status. */
export function isHeardOf(statusCode: string): boolean {
  return HEARD_OF.has(statusCode);
}
