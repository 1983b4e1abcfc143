import { dollarsFromMicros, formatDollars, micros, sum, type Micros } from '../domain/money.ts';
import { printable } from '../domain/text.ts';
import type { TreasurySettings } from '../settings/treasury-schema.ts';
import { DAY_MS, HOUR_MS } from '../treasury/decide/caps.ts';
import { reasonTexts } from '../treasury/decide/reasons.ts';
import type { Verdict } from '../treasury/decide/step.ts';
import { isIn } from '../treasury/decide/transfer.ts';
import type { KeptTransfer, TreasuryHalt, TreasuryJournal } from '../treasury/journal.ts';
import type { SharedOptions } from './command.ts';
import { type ExitCode, exits } from './exit.ts';
import type { Io } from './io.ts';
import { printJson } from './json.ts';
import { wholeLocalSettingsFor } from './settings.ts';
import { type SheetOptions, showSheet } from './sheet.ts';
import { ago, utc } from './time.ts';
import { askingJournal, treasuryOf } from './treasury-desk.ts';
import { transferText } from './treasury-text.ts';

interface LastRound {
  readonly at: number;
  readonly top: number | null;
  readonly verdicts: readonly Verdict[];
}

interface Facts {
  /** All that stand, the first cause first. */
  readonly halts: readonly TreasuryHalt[];
  readonly open: readonly KeptTransfer[];
  readonly rows: readonly KeptTransfer[];
  readonly round: LastRound | undefined;
}

/** `treasury status`: what the journal knows; nothing is asked of the service. */
export function treasuryStatus(io: Io, options: SharedOptions & { readonly json?: boolean }): ExitCode {
  const { settings } = wholeLocalSettingsFor(io, options);
  const treasury = treasuryOf(settings);
  const now = io.clock.now();
  const facts = askingJournal(settings.data, (journal) => factsOf(journal, now));
  if (options.json === true) printJson(io, documentOf(treasury, facts, now));
  else tellStatus(io, treasury, facts, now);
  return exits.done;
}

function factsOf(journal: TreasuryJournal | undefined, now: number): Facts {
  const round = journal?.fact('round');
  return {
    halts: journal?.halts() ?? [],
    open: journal?.open() ?? [],
    rows: journal?.transfers(now - DAY_MS) ?? [],
    round: round === undefined ? undefined : (JSON.parse(round) as LastRound),
  };
}

function used(rows: readonly KeptTransfer[], windowMs: number, now: number, child?: string): Micros {
  const counted = rows.filter((row) => isIn(row, windowMs, now) && (child === undefined || row.child === child));
  return sum(counted.map(({ amount }) => amount));
}

function documentOf(treasury: TreasurySettings, { halts, open, rows, round }: Facts, now: number): unknown {
  const dollars = (amount: Micros | number | null | undefined): number | null =>
    amount === undefined || amount === null ? null : dollarsFromMicros(micros(amount));
  return {
    mode: treasury.mode,
    halted: halts.length > 0,
    haltReason: halts[0]?.reason ?? null,
    lastRoundAt: round === undefined ? null : new Date(round.at).toISOString(),
    balance: dollars(round?.top),
    reserve: dollars(treasury.reserve),
    moved: { hour: dollars(used(rows, HOUR_MS, now)), day: dollars(used(rows, DAY_MS, now)) },
    limits: { hour: dollars(treasury.hour), day: dollars(treasury.day), perTransfer: dollars(treasury.perTransfer) },
    open: open.map(transferJson),
    children: treasury.children.map(({ name, floor, target, perDay }) => {
      const verdict = round?.verdicts.find(({ child }) => child === name);
      return {
        ...{ name, floor: dollars(floor), target: dollars(target), balance: dollars(verdict?.balance) },
        ...{ reason: verdict?.reason ?? null, movedInDay: dollars(used(rows, DAY_MS, now, name)), perDay: dollars(perDay) },
      };
    }),
  };
}

function tellStatus(io: Io, treasury: TreasurySettings, { halts, open, rows, round }: Facts, now: number): void {
  const { out } = io;
  for (const { by, at, reason } of halts) {
    const whose = by === 'person' ? 'by a person' : 'by itself';
    out.line(`${out.palette.bad('Halted')} ${whose}, ${utc(at)}: ${printable(reason, 1_000)}`);
  }
  if (halts.length > 0) out.line('→ `magpie treasury resume` once you know why');
  const top = round === undefined || round.top === null ? 'not known' : formatDollars(micros(round.top));
  const when =
    round === undefined ? 'there was no round yet → `magpie treasury run`' : `last round ${ago(round.at, now)}${movedIn(round)}`;
  out.line(`Treasury (${treasury.mode}): top-level balance ${top}, reserve ${formatDollars(treasury.reserve)}; ${when}`);
  out.line(
    `Moved in an hour ${formatDollars(used(rows, HOUR_MS, now))}, in a day ${formatDollars(used(rows, DAY_MS, now))}, open transfers included`,
  );
  for (const transfer of open)
    out.line(
      `${out.palette.warn('Open')}: transfer ${transfer.id}, ${transferText(transfer)}, since ${utc(transfer.createdAt)}: ${printable(transfer.said ?? 'no answer yet')}`,
    );
  if (open.length > 0)
    out.line('→ `magpie treasury settle ID --as made|not-made --reason TEXT`, where the site shows what became of one');
  const rowsShown = treasury.children.map(({ name, floor, target }) => {
    const verdict = round?.verdicts.find(({ child }) => child === name);
    return {
      ...{ child: name, balance: verdict?.balance === undefined ? '?' : formatDollars(verdict.balance) },
      ...{ floor: formatDollars(floor), target: formatDollars(target) },
      ...{
        moved: formatDollars(used(rows, DAY_MS, now, name)),
        why: verdict ? whyOf(verdict) : '',
      },
    };
  });
  const columns = ['child', 'balance', 'floor', 'target', 'moved', 'why'].map((field) => ({
    field,
    title: field === 'moved' ? 'moved in 24 h' : field,
    grows: field === 'why',
  }));
  showSheet(io, {}, { columns, rows: rowsShown, none: 'The configuration names no child.' }, undefined);
}

/** A round reads, then moves: what it says of balances is older than what it moved. */
function movedIn({ verdicts }: LastRound): string {
  return verdicts.some(({ reason }) => reason === 'transfer') ? ', balances as before its transfers' : '';
}

function whyOf({ reason, amount }: Verdict): string {
  return reason === 'transfer' ? `${reasonTexts.transfer}: a transfer of ${formatDollars(amount)}` : reasonTexts[reason];
}

/** `treasury transfers`: the journal's rows, newest first. */
export function treasuryTransfers(io: Io, options: SharedOptions & SheetOptions): ExitCode {
  const { settings } = wholeLocalSettingsFor(io, options);
  const rows = askingJournal(settings.data, (journal) => journal?.transfers(0) ?? []).toReversed();
  const columns = [
    { field: 'id' },
    { field: 'createdAt', title: 'time (UTC)' },
    { field: 'child', grows: true },
    { field: 'amount', as: 'dollars' as const },
    { field: 'state' },
    { field: 'attempts' },
    { field: 'settledAt' },
    { field: 'settledBy' },
    { field: 'idempotencyKey' },
    { field: 'requestId' },
    { field: 'said' },
  ];
  showSheet(
    io,
    options,
    { columns, rows: rows.map(transferJson), none: 'Nothing was transferred yet.' },
    { transfers: rows.map(transferJson) },
  );
  return exits.done;
}

function transferJson(row: KeptTransfer): Readonly<Record<string, unknown>> {
  const time = (at: number | undefined): string | null => (at === undefined ? null : new Date(at).toISOString());
  const { id, child, amount, state, attempts, idempotencyKey, to } = row;
  return {
    ...{ id, createdAt: time(row.createdAt), child, amount: dollarsFromMicros(amount), state, attempts },
    ...{ settledAt: time(row.settledAt), settledBy: row.settledBy ?? null, idempotencyKey },
    ...{ toEmail: to.email ?? null, toApiKeyId: to.keyId ?? null, requestId: row.requestId ?? null, said: row.said ?? null },
  };
}
