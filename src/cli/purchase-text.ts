import { evidenceKinds } from '../domain/evidence-kind.ts';
import { ZERO, formatDollars } from '../domain/money.ts';
import type { Purchase } from '../domain/purchase.ts';
import { purchaseStates } from '../domain/purchase.ts';
import { printable } from '../domain/text.ts';
import type { EvidenceRow } from '../ledger/queries.ts';
import type { Io, Voice } from './io.ts';
import type { PurchaseFacts } from './purchase-facts.ts';
import { purchaseLine } from './purchase-table.ts';
import type { Shadow } from '../domain/shadow.ts';
import { shadowSentence } from './shadow-text.ts';
import { stepsWords } from './speed.ts';
import { table } from './table.ts';
import { ago, utc, withoutZone } from './time.ts';

const LABEL_WIDTH = 12;

/** Tells a person everything about one purchase: what it is, what happened, what is awaited, what may be done. */
export function showPurchase({ out, clock }: Io, facts: PurchaseFacts): void {
  const { purchase, alerts, awaited, mayDo } = facts;
  const now = clock.now();
  out.line(out.palette.strong(purchaseLine(purchase)));
  row(out, '', purchaseStates[purchase.state]);
  if (purchase.reason !== undefined) row(out, '', printable(purchase.reason, 500));
  out.line();
  for (const [label, words] of about(facts, now)) row(out, label, words);
  showTimeline(out, facts.evidence, facts.shadow);
  showList(out, 'Awaited', awaited);
  showList(
    out,
    'You may',
    mayDo.map((words) => `→ ${words}`),
  );
  if (alerts.length === 0) return;
  out.line(`\n${out.palette.strong('Alerts about it')}`);
  for (const { at, message, next } of alerts) {
    out.line(`  ${utc(at)} (${ago(at, now)})  ${printable(message, 500)}`);
    if (next !== undefined) out.line(`    → ${printable(next, 300)}`);
  }
}

function row(out: Voice, label: string, words: string): void {
  out.line(`${label.padEnd(LABEL_WIDTH)}${words}`);
}

function about({ purchase, timings }: PurchaseFacts, now: number): [string, string][] {
  const { strategy, lane, listingId, itemId, market, wear, paintSeed, serviceOrderId, orderStatus } = purchase;
  const lines: [string, string][] = [
    [
      'listing',
      `${printable(listingId, 60)} on ${printable(market, 40)}, item ${printable(itemId, 60)}${goods(wear, paintSeed)}`,
    ],
    ['by', `${printable(strategy, 80)}${lane === 'paper' ? ', on paper' : ''}`],
    ['money', moneyWords(purchase)],
  ];
  if (serviceOrderId !== undefined)
    lines.push(['order', `${printable(serviceOrderId, 60)}${orderStatus === undefined ? '' : ` ${printable(orderStatus, 60)}`}`]);
  lines.push(['written', `${utc(purchase.createdAt)} (${ago(purchase.createdAt, now)}), before anything was sent`]);
  if (timings?.sentAt !== undefined) lines.push(['sent', `${utc(timings.sentAt)}, once`]);
  if (timings?.answeredAt !== undefined) lines.push(['answered', utc(timings.answeredAt)]);
  const took = timings?.sentAt === undefined ? undefined : stepsWords(timings);
  if (took !== undefined) lines.push(['took', took]);
  if (purchase.settlementAt !== undefined) lines.push(['settles', `${utc(purchase.settlementAt)}, says the service`]);
  return lines;
}

function goods(wear: number | undefined, seed: number | undefined): string {
  return `${wear === undefined ? '' : `, wear ${wear}`}${seed === undefined ? '' : `, seed ${seed}`}`;
}

function moneyWords({ cost, paid, refunded, held, state }: Purchase): string {
  const debit =
    paid === undefined ? `${formatDollars(cost)} expected` : `${formatDollars(paid)} debited (${formatDollars(cost)} expected)`;
  const back = refunded > ZERO ? `, ${formatDollars(refunded)} came back` : '';
  const reserved = held || state === 'unknown' || state === 'intended' ? ', reserved' : '';
  return `${debit}${back}${reserved}`;
}

/** What was seen of a listing afterwards is no evidence of a purchase, and comes after all that is. */
function showTimeline(out: Voice, evidence: readonly EvidenceRow[], shadow: Shadow | undefined): void {
  out.line(`\n${out.palette.strong('What happened (UTC)')}`);
  const rows = evidence.map((each) => [withoutZone(each.at), each.from === each.to ? '' : each.to, eventWords(each)]);
  if (shadow !== undefined) rows.push([withoutZone(shadow.at), '', `live would have ${shadowSentence(shadow)}`]);
  const columns = [{ title: '' }, { title: '' }, { title: '', grows: true }];
  out.write(table(columns, rows, { width: out.width, wrap: true, indent: 2 }));
}

function eventWords({ kind, note, json }: EvidenceRow): string {
  const what = evidenceKinds[kind] ?? kind;
  const said = saidBy(json);
  const words = [note, said].filter((text) => text !== undefined && text !== '').join(' · ');
  return printable(words === '' ? what : evidenceKinds[kind] === undefined ? words : `${what}: ${words}`, 600);
}

/** What the evidence itself says, as far as it is worth a word: the answer's code and message, the status of an order. */
function saidBy(json: string | undefined): string | undefined {
  const evidence = fieldsOf(json === undefined ? undefined : (JSON.parse(json) as unknown));
  const order = fieldsOf(evidence['order']);
  const words = [evidence['code'], evidence['message'], evidence['orderStatus'], order['statusCode']];
  const said = words.filter((word) => typeof word === 'string' && word !== '');
  return said.length === 0 ? undefined : said.join(' ');
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}

function showList(out: Voice, title: string, sentences: readonly string[]): void {
  if (sentences.length === 0) return;
  out.line(`\n${out.palette.strong(title)}`);
  for (const sentence of sentences) out.line(`  ${sentence}`);
}
