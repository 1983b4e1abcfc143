import type { BooksView } from '../../../src/sandbox/audit.ts';

/** The exchange's books as far as they are one child's, by its place among the children. */
export function accountBooks(books: BooksView, child: number): BooksView {
  const account = books.accounts.filter(({ kind }) => kind === 'child')[child];
  if (account === undefined) throw new RangeError(`no child account ${child}`);
  const orders = books.orders.filter((order) => order.account === account.id);
  const ids = new Set(orders.map(({ id }) => id));
  return {
    ...books,
    accounts: [account],
    orders,
    bookings: books.bookings.filter((booking) => booking.account === account.id),
    events: books.events.filter((event) => ('account' in event ? event.account === account.id : ids.has(event.orderId))),
  };
}

/**
 * What an account has kept and said, in the form in which two lives may be held against each other: each booking under its place among the
 * account's own, since the exchange numbers those of all accounts in one row; and without the count of what stands in the market, which
 * tells of what others have bought.
 */
export function comparable(text: string, { bookings }: BooksView): string {
  const places = new Map(bookings.map(({ id }, place) => [id, `own-booking-${place + 1}`]));
  return text.replaceAll(/\bt\d{9}\b/g, (id) => places.get(id) ?? id).replaceAll(/"line":"\d+ listings? · /g, '"line":"');
}
