import { statSync } from 'node:fs';
import { join } from 'node:path';
import { rulesLastInForce } from '../app/past-rules.ts';
import { type ReplayedChange, replayChange } from '../app/replay-change.ts';
import { shareFromNumber } from '../domain/money.ts';
import type { Reader } from '../ledger/ledger.ts';
import { shownPath } from '../settings/text-file.ts';
import { durationGiven } from './backtest-options.ts';
import type { SharedOptions } from './command.ts';
import { CommandFailure, exits } from './exit.ts';
import { asking } from './folder.ts';
import type { Io } from './io.ts';
import { replaying } from './replay-request.ts';
import { localSettingsFor, strategiesFor } from './settings.ts';

/** As `magpie backtest` has them where nobody says otherwise. */
const RESALE = 0.7;
const FEE = 0.1;
const HOLD_MS = 8 * 86_400_000;

/** What the strategies on file would have bought in the last stretch of the recording, beside those in force. */
export function replayedChange(io: Io, options: SharedOptions & { readonly strategies?: string }, last: string): ReplayedChange {
  const lastMs = durationGiven('--replay', last);
  const settings = localSettingsFor(io, options, options.strategies);
  const recording = join(settings.recordingFolder, 'recording.db');
  if (statSync(recording, { throwIfNoEntry: false })?.isFile() !== true)
    throw new CommandFailure(
      exits.failed,
      `There is no recording ${shownPath(recording, io.cwd)}, so nothing can be replayed.\n→ \`magpie run\` records what it sees`,
    );
  const after = { settings, strategies: strategiesFor(io, settings) };
  return asking(settings.data, (reader) =>
    replaying(io, [recording], (onProgress) =>
      replayChange({
        ...{ recording, lastMs, after, onProgress, seed: 1 },
        before: reader && rulesLastInForce(reader, settings),
        purchases: () => purchasesOf(reader),
        terms: { resale: shareOf(RESALE), fee: shareOf(FEE), holdMs: HOLD_MS },
      }),
    ),
  );
}

function purchasesOf(reader: Reader | undefined): ReturnType<Reader['everyPurchase']> {
  return reader?.everyPurchase() ?? [];
}

function shareOf(value: number): NonNullable<ReturnType<typeof shareFromNumber>> {
  const share = shareFromNumber(value);
  if (share === undefined) throw new Error(`${value} is no share`);
  return share;
}
