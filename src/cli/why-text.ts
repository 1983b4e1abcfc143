import type { Decision } from '../domain/decision.ts';
import type { Listing } from '../domain/listing.ts';
import { formatDollars } from '../domain/money.ts';
import type { PurchaseState } from '../domain/purchase.ts';
import { reasons } from '../domain/reason.ts';
import { printable } from '../domain/text.ts';
import type { ListingHistory } from '../replay/tape-reader.ts';
import type { ConditionReport, Verdict } from '../strategy/strategy.ts';
import type { Voice } from './io.ts';
import { purchaseLine } from './purchase-table.ts';
import { referenceWords } from './reference-facts.ts';
import { table } from './table.ts';
import { ago, utc } from './time.ts';
import type { Explanation, StrategyReport } from './why-facts.ts';

/** Decisions shown of one listing; `--json` has all of them. */
const DECISIONS_SHOWN = 20;

/** Tells a person why a listing was bought or not; `running` says whether a daemon could buy it now. */
export function showExplanation(out: Voice, about: Explanation, running: boolean): void {
  const { palette } = out;
  out.line(palette.strong(printable(about.name ?? 'A listing without a name', 200)));
  out.line(`listing ${printable(about.id ?? 'without an id', 60)} on ${printable(about.market ?? 'no market', 60)}`);
  if (about.listing !== undefined) out.line(offerWords(about.listing));
  if (about.history !== undefined) out.line(historyWords(about.history, about.at));
  if (about.listing !== undefined && about.reference !== undefined)
    for (const words of referenceWords(about.reference, about.listing, about.at)) out.line(words);
  showBought(out, about);
  out.line();
  showJudgement(out, about);
  for (const report of about.strategies) showStrategy(out, report, admissionWords(about, running));
  showDecisions(out, about.decisions);
  showPurchases(out, about);
}

const became: Readonly<Partial<Record<PurchaseState, string>>> = {
  intended: 'It is being bought',
  unknown: 'Nobody knows yet whether it was bought',
  bought: 'It was bought',
  completed: 'It was bought',
  refunded: 'It was bought, and its money came back',
  simulated: 'It was bought on paper',
};

/** What became of it comes first: below, admission is asked anew, and refuses what was bought already. */
function showBought({ palette, line }: Voice, { purchases }: Explanation): void {
  const told = purchases.filter(({ state }) => became[state] !== undefined);
  const purchase = told.findLast(({ lane }) => lane === 'live') ?? told.at(-1);
  if (purchase === undefined) return;
  const { id, state, completedAt, createdAt } = purchase;
  const isDone = state === 'completed' && completedAt !== undefined;
  const words = `${became[state]}: purchase #${id}, ${isDone ? `completed ${utc(completedAt)}` : `${state}, begun ${utc(createdAt)}`}`;
  line(state === 'bought' || state === 'completed' ? palette.good(words) : palette.warn(words));
}

function offerWords({ priceMicros, cost, steam, wear, paintSeed }: Listing): string {
  const share =
    steam === undefined ? 'no Steam price' : `Steam ${formatDollars(steam)} (${((100 * cost) / steam).toFixed(1)} % of it)`;
  const parts = [`${formatDollars(cost)} (${formatDollars(priceMicros)} and the fee)`, share];
  if (wear !== undefined) parts.push(`wear ${wear}`);
  if (paintSeed !== undefined) parts.push(`seed ${paintSeed}`);
  return parts.join(' · ');
}

function historyWords({ firstSeenAt, lastSeenAt, goneAt, standing, events }: ListingHistory, now: number): string {
  const first = `first seen ${utc(firstSeenAt)}`;
  const repriced = events.filter(({ kind }) => kind === 'repriced').length;
  const moves = repriced === 0 ? '' : `, repriced ${repriced === 1 ? 'once' : `${repriced} times`}`;
  if (standing) return `${first}${moves}; it stood in the last poll, ${utc(lastSeenAt)} (${ago(lastSeenAt, now)})`;
  if (goneAt === undefined)
    return `${first}${moves}; last seen ${utc(lastSeenAt)}, when the recording stopped: nobody knows whether it still stands`;
  return `${first}${moves}; last seen ${utc(lastSeenAt)}; found gone ${utc(goneAt)} (${ago(goneAt, now)})`;
}

function showJudgement({ palette, line }: Voice, { listing, bad, strategies }: Explanation): void {
  if (bad !== undefined) return line(palette.bad(`It cannot be judged, so nothing may buy it: ${printable(bad.reason, 300)}`));
  if (listing === undefined)
    return line('What it looked like is not in the recording any more, so the strategies cannot be held against it.');
  const wanting = strategies.filter(({ wants }) => wants).map(({ strategy }) => strategy.name);
  if (wanting.length === 0)
    return line(
      strategies.length === 1
        ? 'The one strategy does not want it: it has a condition marked ✗ or – below.'
        : `None of ${strategies.length} strategies wants it: each has a condition marked ✗ or – below.`,
    );
  return line(palette.good(`Wanted by ${wanting.map((name) => printable(name, 80)).join(', ')}.`));
}

const marks: Readonly<Record<Verdict, string>> = { true: '✓', false: '✗', absent: '–' };

/** Admission is asked as of now, of a listing that may have gone, by a command that cannot see all that a daemon sees. */
function admissionWords({ history }: Explanation, running: boolean): string {
  const there = history === undefined || history.standing ? 'Admission now' : 'Admission, were it there now';
  return running ? there : `${there} (as far as it can be told while no daemon runs)`;
}

function showStrategy(out: Voice, { strategy, lane, wants, conditions, refusal }: StrategyReport, asked: string): void {
  const { palette } = out;
  const name = printable(strategy.name, 80) + (lane === 'paper' ? ' (on paper)' : '');
  out.line();
  out.line(wants ? palette.good(`✓ ${name} wants it`) : `${palette.bad('✗')} ${name} does not want it`);
  const columns = [{ title: '' }, { title: '' }, { title: '', grows: true }, { title: '', grows: true }];
  out.write(
    table(
      columns,
      conditions.map((condition) => conditionRow(out, condition)),
      { width: out.width, wrap: true, indent: 2 },
    ),
  );
  if (!wants) return;
  if (refusal === undefined) out.line(`  ${asked}: it would be admitted`);
  else out.line(`  ${asked}: refused, ${refusal.reason}: ${reasons[refusal.reason].text} (${printable(refusal.detail, 300)})`);
}

function conditionRow({ palette }: Voice, { path, depth, wants, has, verdict }: ConditionReport): readonly string[] {
  const colour = verdict === 'true' ? palette.good : verdict === 'false' ? palette.bad : palette.warn;
  return [colour(marks[verdict]), `${'  '.repeat(depth)}${printable(path, 120)}`, printable(wants, 1_000), printable(has, 300)];
}

function showDecisions(out: Voice, decisions: readonly Decision[]): void {
  out.line();
  if (decisions.length === 0)
    return out.line(
      'Admission has said nothing about it: no strategy wanted it while Magpie ran, or the decision is older than `decisions.keep`.',
    );
  out.line(out.palette.strong('What admission said, newest first'));
  for (const decision of decisions.slice(0, DECISIONS_SHOWN)) showDecision(out, decision);
  if (decisions.length > DECISIONS_SHOWN) out.line(`  and ${decisions.length - DECISIONS_SHOWN} more: \`--json\` has them all`);
}

function showDecision(out: Voice, { at, strategy, lane, cost, verdict, reason, detail }: Decision): void {
  const whose = `${printable(strategy, 80)}${lane === 'paper' ? ' (on paper)' : ''} at ${formatDollars(cost)} with the fee`;
  if (verdict === 'admitted') return out.line(`  ${utc(at)}  ${out.palette.good('admitted')} for ${whose}`);
  out.line(
    `  ${utc(at)}  refused for ${whose}: ${reason ?? 'no reason kept'}${detail === undefined ? '' : ` (${printable(detail, 300)})`}`,
  );
  if (reason !== undefined && Object.hasOwn(reasons, reason)) out.line(out.palette.dim(`    ${reasons[reason].text}`));
}

function showPurchases(out: Voice, { purchases }: Explanation): void {
  if (purchases.length === 0) return;
  out.line();
  out.line(out.palette.strong('Purchases of it'));
  for (const purchase of purchases) {
    out.line(`  ${purchaseLine(purchase)} (${utc(purchase.createdAt)}, by ${printable(purchase.strategy, 80)})`);
    if (purchase.reason !== undefined) out.line(out.palette.dim(`    ${printable(purchase.reason, 300)}`));
  }
}
