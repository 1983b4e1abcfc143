import { progressOf } from '../app/awaited.ts';
import type { Alert } from '../domain/alert.ts';
import type { EpochMs } from '../domain/clock.ts';
import { ZERO, formatDollars } from '../domain/money.ts';
import type { Purchase } from '../domain/purchase.ts';
import { shadowWords } from '../domain/shadow.ts';
import { counted, printable } from '../domain/text.ts';
import type { RuleChangeRow } from '../ledger/rule-changes.ts';
import { someOf } from '../settings/rule-difference.ts';
import { shownPath } from '../settings/text-file.ts';
import { driftWords } from './in-force.ts';
import type { Refusal } from '../risk/caps.ts';
import { type Closed, type Openness, closedWords } from '../risk/openness.ts';
import type { Io, Voice } from './io.ts';
import { placesOf } from './settings.ts';
import { showSpeed } from './speed.ts';
import { showCaps } from './status-caps.ts';
import type { StatusFacts } from './status-facts.ts';
import { watchedWords } from './status-watched.ts';
import { ago, span, utc } from './time.ts';

/** A sign of life older than this is none. */
const QUIET_MS = 10_000;
const LABEL_WIDTH = 12;
const NEXT_LINE = `\n${' '.repeat(LABEL_WIDTH)}`;

/** Tells a person where things stand; every trouble comes with what to do about it. */
export function showStatus(io: Io, facts: StatusFacts): void {
  const { out } = io;
  out.line(`${out.palette.strong(`Magpie ${facts.mode}`)} · ${runningWords(facts)}`);
  out.line(out.palette.dim(placesOf(io, facts.settings)));
  out.line();
  row(out, 'buying', buyingWords(facts, out));
  if (facts.rules !== undefined && facts.rules.what.length > 0) row(out, 'rules', rulesWords(facts.rules));
  for (const [index, words] of changedWords(facts, io).entries())
    row(out, index === 0 ? 'changed' : '', index === 0 || !words.startsWith('→') ? out.palette.warn(words) : words);
  row(out, 'last poll', pollWords(facts));
  for (const [index, words] of watchedWords(facts.holder.heartbeat?.watched ?? [], facts.now, out).entries())
    row(out, index === 0 ? 'watching' : '', words);
  for (const [index, words] of healthWords(facts, out).entries()) row(out, index === 0 ? 'health' : '', words);
  row(out, 'balance', balanceWords(facts));
  out.line();
  showCaps(out, facts);
  out.line();
  row(out, 'purchases', purchaseWords(facts));
  const checked = shadowWords(facts.shadows);
  if (checked !== undefined) row(out, 'on paper', checked);
  if (facts.speed !== undefined) showSpeed(out, facts.speed);
  showUnknown(out, facts);
  showAlerts(out, facts.alerts, facts.now);
  if (!facts.begun) out.line('\nNothing has run with this data folder yet: `magpie run` starts.');
}

function row(out: Voice, label: string, words: string): void {
  out.line(`${label.padEnd(LABEL_WIDTH)}${words}`);
}

function runningWords({ holder: { running, heartbeat }, now }: StatusFacts): string {
  if (!running) return heartbeat === undefined ? 'not running' : `not running, last seen ${ago(heartbeat.at, now)}`;
  if (heartbeat === undefined) return 'starting';
  const quiet = now - heartbeat.at;
  if (quiet > QUIET_MS) return `held by a process whose last sign of life is ${span(quiet)} old: it is starting, or stuck`;
  return `running for ${span(now - heartbeat.startedAt)}, process ${heartbeat.pid}, version ${printable(heartbeat.version, 40)}`;
}

/** The one line that must be true: open, or closed and why, or where it is open and where not. */
function buyingWords({ halts, holder, mode, openness, slowUntil }: StatusFacts, { palette }: Voice): string {
  const [first, ...more] = halts;
  if (first !== undefined) {
    const others = more.length === 0 ? '' : ` (and ${more.length} more)`;
    const by = first.by === 'person' ? 'by a person' : `by itself (${printable(first.by, 60)})`;
    const halted = `${palette.bad('HALTED')} since ${utc(first.at)} ${by}: ${printable(first.reason, 500)}${others}`;
    return [halted, ...alsoWords(openness), '→ look into it, then `magpie resume`'].join(NEXT_LINE);
  }
  if (!holder.running) return 'nothing is bought while it does not run → `magpie run`';
  if (holder.heartbeat === undefined) return palette.warn('not yet: it has given no sign of life');
  const paper = mode === 'live' ? '' : 'on paper only (dry-run)';
  const closed = openness && closedWords(openness);
  if (closed === undefined) return paper === '' ? palette.good('open') : paper;
  const closing = palette.warn(`${paper === '' ? '' : `${paper}, and `}${closingWords(openness?.everywhere, closed, slowUntil)}`);
  return [closing, ...alsoWords(openness)].join(NEXT_LINE);
}

/** What keeps buying closed besides: who mends the first cause should know that it is not the last. */
function alsoWords(openness: Openness | undefined): readonly string[] {
  const also = (openness && closedWords(openness))?.also ?? [];
  return also.map(({ why }) => `also: ${printable(why, 400)}`);
}

function closingWords(everywhere: Refusal | undefined, { only, why }: Closed, slowUntil: number | undefined): string {
  const words = printable(why, 400);
  if (only.length > 0) return `open on ${only.join(', ')} only; ${words}`;
  switch (everywhere?.reason) {
    case 'starting':
      return `not yet: ${words}`;
    case 'slowed':
      return `slowed down until ${utc(slowUntil ?? 0)}: the service asked for it`;
    case 'unknown-pause':
      return 'paused: as many purchases are unknown as limits.unknown allows; see below';
    case undefined:
      return `closed: ${words}`;
    default:
      return `paused: ${words}`;
  }
}

function rulesWords({ at, what }: RuleChangeRow): string {
  return `changed while it ran, at ${utc(at)}: ${printable(someOf(what), 500)}`;
}

function changedWords({ drift, settings }: StatusFacts, { cwd }: Io): readonly string[] {
  return drift === undefined ? [] : driftWords(drift, shownPath(settings.file, cwd));
}

function pollWords({ holder: { heartbeat }, now }: StatusFacts): string {
  if (heartbeat?.lastPollAt === undefined) return 'none yet';
  const { lastPollAt, listings, matching, bad, badExample } = heartbeat;
  const words = `${ago(lastPollAt, now)} (${utc(lastPollAt)}): ${counted(listings, 'listing')}, ${matching} wanted`;
  if (bad === 0) return words;
  const example = badExample === undefined ? '' : `, such as ${printable(badExample, 120)}`;
  return `${words}\n${' '.repeat(LABEL_WIDTH)}${bad} cannot be judged and ${bad === 1 ? 'is' : 'are'} never bought${example}`;
}

function healthWords({ settings, holder, markets }: StatusFacts, { palette }: Voice): readonly string[] {
  const { require } = settings.feed.health;
  if (require === 'off') return ['not asked for (feed.health.require: off)'];
  if (markets === undefined) return ['not known while it does not run'];
  const health = holder.heartbeat?.health;
  if (health !== undefined && 'reason' in health) {
    const words = palette.bad(`not known, so nothing is bought: ${printable(health.message, 200)}`);
    return health.reason === 'forbidden' ? [words, `→ ${keyAdvice(settings.file)}`] : [words];
  }
  return markets.map(({ market, refusal }) =>
    refusal === undefined
      ? `${market} ${palette.good('ok to buy from')}`
      : palette.warn(`${market} not bought from: ${printable(refusal.detail, 200)}`),
  );
}

/** The exact lines that let a key without leave to read health buy all the same. */
function keyAdvice(file: string): string {
  return `in ${printable(file, 300)}: under \`account:\` a top-level key, \`partnerKey: \${MAGPIE_PARTNER_KEY}\`, or \`feed: { health: { require: off } }\``;
}

function balanceWords({ balance, free, now, settings, mode }: StatusFacts): string {
  if (balance === undefined || free === undefined) return 'not read yet';
  const { reserve } = settings.limits;
  const kept = reserve > ZERO ? `, ${formatDollars(reserve)} of it kept as the reserve` : '';
  const paper = mode === 'live' ? '' : ' (dry-run spends none of it)';
  return `${formatDollars(balance.amount)}, read ${ago(balance.endedAt, now)}; ${formatDollars(free)} free${kept}${paper}`;
}

function purchaseWords({ counts }: StatusFacts): string {
  const words = Object.entries(counts).flatMap(([state, count]) => (count > 0 ? [`${count} ${state}`] : []));
  return words.length === 0 ? 'none' : words.join(' · ');
}

function showUnknown(out: Voice, facts: StatusFacts): void {
  const { unknown, counts, now, holder } = facts;
  const lookedAt = holder.heartbeat?.lastLookAt;
  if (unknown.length === 0) return;
  out.line(`\n${out.palette.warn('Nobody can say yet whether these were bought:')}`);
  for (const purchase of unknown) showUnknownOne(out, purchase, facts);
  if (counts.unknown > unknown.length)
    out.line(`  and ${counts.unknown - unknown.length} older: \`magpie purchases --state unknown\``);
  out.line('  Their money stays reserved. They settle by evidence alone: an order, a transaction, the');
  out.line('  balance, whether the listing still stands.');
  const looked = lookedAt === undefined ? '' : ` (last look ${ago(lookedAt, now)})`;
  out.line(holder.running ? `  → the daemon keeps looking${looked}` : '  → `magpie reconcile` looks once');
  out.line(`  → \`magpie purchases ${unknown[0]?.id ?? 'ID'}\` tells everything about one`);
  out.line('  → if you see at the service what became of one:');
  out.line(`    magpie resolve ${unknown[0]?.id ?? 'ID'} --as bought|not-bought --reason "what you saw"`);
}

function showUnknownOne(out: Voice, purchase: Purchase, { proofs, now }: StatusFacts): void {
  const { id, marketHashName, cost, market, createdAt, reason } = purchase;
  out.line(
    `  #${id} ${printable(marketHashName, 100)}  ${formatDollars(cost)}  ${printable(market, 40)}  ${ago(createdAt, now)}`,
  );
  if (reason !== undefined) out.line(out.palette.dim(`     ${printable(reason, 300)}`));
  const [looks = '', balance = '', listing = '', quiet = ''] = progressOf(proofs.get(id), now);
  out.line(`     so far: ${looks}, ${quiet};`);
  out.line(`     ${balance}, ${listing}`);
}

/** With the account before the message where they are of several. */
export function showAlerts(out: Voice, alerts: readonly (Alert & { readonly account?: string })[], now: EpochMs): void {
  if (alerts.length === 0) return;
  out.line(`\n${out.palette.strong('Newest alerts')}`);
  for (const { account, at, message, next } of alerts) {
    out.line(`  ${utc(at)} (${ago(at, now)})  ${account === undefined ? '' : `${account}: `}${printable(message, 500)}`);
    if (next !== undefined) out.line(`    → ${printable(next, 300)}`);
  }
}
