const DEAD = new Set([
  'failed',
  'cancelled',
  'canceled',
  'declined',
  'rejected',
  'expired',
  'error',
  'reversed',
  'void',
  'voided',
]);
const AWAITED = new Set(['pending', 'processing', 'initiated', 'created', 'queued', 'waiting', 'in_progress']);

/** It came to nothing, by its status: it does not prove that something was bought, though money may have moved there and back. */
export function isDead(status: string | undefined): boolean {
  return status !== undefined && DEAD.has(status.trim().toLowerCase());
}

/** The money has moved, as far as the status says. One that nobody has heard of says nothing against it. */
export function hasMoved(status: string | undefined): boolean {
  return !isDead(status) && !(status !== undefined && AWAITED.has(status.trim().toLowerCase()));
}
