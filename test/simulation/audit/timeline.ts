import type { BooksView } from '../../../src/sandbox/audit.ts';
import type { Violation } from '../violation.ts';
import type { Lived } from '../lived.ts';
import { BEGIN } from '../world.ts';
import { type Rows, keyOf } from './rows.ts';

/** What happened to one listing or purchase, at the exchange, on the wire, in the journal and to the process, in order of time. */
export function timelineOf(
  lived: Lived,
  rows: Rows,
  books: BooksView,
  about: Pick<Violation, 'listing' | 'purchaseId'>,
): string[] {
  const purchase = rows.purchases.find(({ id }) => id === about.purchaseId);
  const listing = about.listing ?? (purchase && keyOf(purchase));
  const lines: [at: number, text: string][] = [];
  const mine = rows.purchases.filter((row) => keyOf(row) === listing);
  for (const row of rows.evidence) {
    if (mine.some(({ id }) => id === row.purchase_id)) {
      lines.push([
        row.at,
        `journal   purchase ${row.purchase_id}: ${row.from_state ?? 'nothing'} → ${row.to_state} (${row.kind}) ${row.note ?? ''}`,
      ]);
    }
  }
  const orders = new Set(books.orders.filter((one) => `${one.market}:${one.listingId}` === listing).map(({ id }) => id));
  for (const event of books.events) {
    const isMine = 'listingId' in event ? `${event.market}:${event.listingId}` === listing : orders.has(event.orderId);
    if (!isMine) continue;
    const { seq: _seq, at, ...rest } = event;
    lines.push([at, `exchange  ${JSON.stringify(rest)}`]);
  }
  for (const post of lived.door.posts) {
    if (`${post.market}:${post.listingId}` !== listing) continue;
    lines.push([post.at, `wire      post ${post.seq} of boot ${post.boot} at $${post.price}`]);
    for (const { at, kind } of post.outcomes) lines.push([at, `wire      post ${post.seq}: ${kind}`]);
  }
  for (const { at, event, fields } of lived.log.lines) {
    if (['died', 'stopped-by-request', 'halted', 'resumed', 'alert', 'open'].includes(event))
      lines.push([at, `process   ${event} ${JSON.stringify(fields)}`]);
  }
  return lines.sort((a, b) => a[0] - b[0]).map(([at, text]) => `${clockText(at - BEGIN)}  ${text}`);
}

function clockText(ms: number): string {
  const seconds = ms / 1_000;
  const minutes = Math.floor(seconds / 60);
  return `${String(minutes).padStart(3, '0')}:${(seconds - minutes * 60).toFixed(3).padStart(6, '0')}`;
}
