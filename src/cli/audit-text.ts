import { CENT, type Micros, ZERO, formatDollars, subtract } from '../domain/money.ts';
import { counted, printable } from '../domain/text.ts';
import {
  type AuditReport,
  type BalanceStatement,
  type Difference,
  auditKinds,
  unreadNext,
  unreadText,
} from '../risk/audit/report.ts';
import type { Io, Voice } from './io.ts';
import { type Column, table } from './table.ts';
import { utc } from './time.ts';

/** Rows and sentences shown; `--json` has more. */
const SHOWN = 50;

const columns: readonly Column[] = [
  { title: 'what', grows: true },
  { title: 'ours', align: 'right' },
  { title: 'theirs', align: 'right' },
  { title: 'difference', align: 'right' },
];

/** Tells a person how our rows and the service agree: every difference in money, then what could not be compared. */
export function showAudit({ out }: Io, report: AuditReport, places: string): void {
  const { palette } = out;
  out.line(palette.dim(places));
  out.line(comparedWords(report));
  out.line();
  showUnread(out, report);
  showDifferences(out, report);
  if (report.balance !== null) showBalance(out, report.balance);
  showOthers(out, report);
  showSentences(out, 'Awaited, so no difference yet', report.awaited);
  showSentences(out, 'Beside the figures', report.notes);
}

/** Lists of which nothing could be read are left out: our rows were held against what did come. */
function comparedWords({ compared, unread }: AuditReport): string {
  const unseen = new Set(unread.filter(({ partly }) => !partly).map(({ part }) => part));
  const lists = [
    ...(unseen.has('orders') ? [] : [counted(compared.orders, 'order')]),
    ...(unseen.has('transactions') ? [] : [counted(compared.transactions, 'transaction')]),
    ...(unseen.has('ledger') ? [] : [counted(compared.movements, 'ledger entry', 'ledger entries')]),
  ];
  const last = lists.pop();
  const purchases = `${counted(compared.purchases, 'purchase')} of ours`;
  if (last === undefined) return `Compared ${purchases} with no list of the service: none could be read.`;
  return `Compared ${purchases} with ${lists.length === 0 ? last : `${lists.join(', ')} and ${last}`} of the service.`;
}

/** First, since it says what the rest is worth. */
function showUnread(out: Voice, { unread }: AuditReport): void {
  if (unread.length === 0) return;
  const { palette } = out;
  out.line(palette.bad('Not everything was compared:'));
  for (const each of unread) out.line(`  ${printable(unreadText(each), 500)}`);
  out.line(`→ ${unreadNext}`);
  out.line();
}

function noDifference({ palette }: Voice, { unread, uncompared }: AuditReport): string {
  if (unread.length > 0) return palette.warn('No difference in what could be read.');
  if (uncompared > 0)
    return `No difference in what could be compared; ${counted(uncompared, 'purchase')} of ours could not be, as said below.`;
  return palette.good('No difference: what our rows say is what the service shows.');
}

function showDifferences(out: Voice, report: AuditReport): void {
  const { palette } = out;
  const { differences, more, total, unread } = report;
  if (differences.length === 0) return out.line(noDifference(out, report));
  const shown = differences.slice(0, SHOWN);
  const hidden = differences.length - shown.length + more;
  const rows = shown.map((each) => [
    wordsOf(each),
    formatDollars(each.ours),
    formatDollars(each.theirs),
    signed(each.difference),
  ]);
  const rest = hidden === 0 ? [] : [[`and ${hidden} more: \`--json\` has them`, '', '', '']];
  out.write(table(columns, [...rows, ...rest, ['in all', '', '', signed(total)]], { width: out.width, wrap: true }));
  const count = differences.length + more;
  out.line();
  out.line(palette.bad(`${counted(count, 'difference')}, ${effectWords(total)}.`));
  if (unread.length > 0) out.line('What could not be read may explain some of it, and hide more.');
  for (const kind of new Set(differences.map((each) => each.kind))) {
    out.line(`→ ${auditKinds[kind].text}: ${auditKinds[kind].next}`);
  }
}

function wordsOf({ kind, purchaseId, orderId, transactionId, name }: Difference): string {
  const id = orderId === null ? transactionId && `transaction ${transactionId}` : `order ${orderId}`;
  const thing = purchaseId === null ? id : `#${purchaseId}`;
  const goods = [thing === null ? '' : printable(thing, 60), printable(name, 120)].filter((text) => text !== '').join(' ');
  return goods === '' ? auditKinds[kind].text : `${goods}: ${auditKinds[kind].text}`;
}

function effectWords(total: Micros): string {
  if (Math.abs(total) < CENT) return 'which cancel out';
  const amount = formatDollars(total < ZERO ? subtract(ZERO, total) : total);
  return total < ZERO
    ? `by which there is ${amount} less than our rows say`
    : `by which there is ${amount} more than our rows say`;
}

/** How what is expected of the balance comes about, one step a line. */
function showBalance(out: Voice, balance: BalanceStatement): void {
  const { firstAt, first, spent, cameBack, othersSpent, otherMoves, expected, at, now, listed, unexplained } = balance;
  const steps: [string, string][] = [
    [`balance at the first reading, ${utc(firstAt)}`, formatDollars(first)],
    ['our purchases', signed(subtract(ZERO, spent))],
    ['came back', signed(cameBack)],
    ["others' purchases, less what came back", signed(subtract(ZERO, othersSpent))],
    ['deposits, withdrawals, fees', otherMoves === null ? 'not known' : signed(otherMoves)],
    ['expected now', formatDollars(expected)],
    [`the service shows, ${utc(at)}`, formatDollars(now)],
  ];
  if (listed !== ZERO) steps.push(['explained by the purchases above', signed(listed)]);
  if (Math.abs(unexplained) >= CENT)
    steps.push([balance.mayBeUncertain ? 'what is not certain yet may come to just this' : 'not explained', signed(unexplained)]);
  out.line();
  out.write(
    table(
      [
        { title: '', grows: true },
        { title: '', align: 'right' },
      ],
      steps,
      { width: out.width },
    ),
  );
}

function showOthers(out: Voice, { others: { baseline, adopted } }: AuditReport): void {
  if (baseline === 0 && adopted.length === 0) return;
  out.line();
  out.line(out.palette.strong('Orders that are not ours'));
  if (baseline > 0) out.line(`  ${baseline} from before the first start: known, not counted`);
  for (const { orderId, name, amount, status } of adopted.slice(0, SHOWN)) {
    out.line(
      `  order ${printable(orderId, 60)} ${printable(name, 120)}, ${formatDollars(amount)}, ${printable(status, 40)}: adopted, counts in the caps`,
    );
  }
}

function showSentences(out: Voice, title: string, sentences: readonly string[]): void {
  if (sentences.length === 0) return;
  out.line();
  out.line(out.palette.strong(title));
  for (const sentence of sentences.slice(0, SHOWN)) out.line(`  ${printable(sentence, 500)}`);
  if (sentences.length > SHOWN) out.line(`  and ${sentences.length - SHOWN} more: \`--json\` has them`);
}

function signed(amount: Micros): string {
  return amount > ZERO ? `+${formatDollars(amount)}` : formatDollars(amount);
}
