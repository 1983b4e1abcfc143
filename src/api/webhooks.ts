/** The two events that the service posts to an address of ours. Their payloads, registration, signing and repeats are not documented. */
export const webhookEvents = {
  'order.updated': 'An order has changed.',
  'order.refunded': 'Money of an order has come back.',
} as const;
