import { expect, it, onTestFinished } from 'vitest';
import { AccountKeeper } from '../../src/app/accounts/account-keeper.ts';
import { TurnDesk } from '../../src/app/accounts/turn-desk.ts';
import { VirtualClock } from '../support/virtual-clock.ts';

it('any number of accounts is stopped by one signal without a warning of Node.js', async () => {
  const warnings: string[] = [];
  const hear = (warning: Error): void => void warnings.push(warning.message);
  process.on('warning', hear);
  onTestFinished(() => void process.off('warning', hear));
  const stopping = new AbortController();
  const names = Array.from({ length: 30 }, (_, index) => `account-${index}`);
  const desk = new TurnDesk(names);
  const quiet = (): void => undefined;
  const log = { info: quiet, warn: quiet, error: quiet };
  const start = async () => ({ ok: false, exitCode: 1, message: 'its ledger cannot be opened' }) as const;
  const clock = new VirtualClock();
  const over = names.map((account) =>
    new AccountKeeper({ account, clock, desk, log, start, once: false, againMs: 60_000 }).run(stopping.signal),
  );
  stopping.abort();
  expect(await Promise.all(over)).toHaveLength(names.length);
  // Warnings are told in a turn of their own.
  await new Promise((resolve) => void setImmediate(resolve));
  expect(warnings.filter((words) => words.includes('listeners'))).toEqual([]);
});

it('an account that cannot be started for a day is told of at first, and then ever less often', async () => {
  const clock = new VirtualClock();
  const lines: { readonly message: string; readonly times: number }[] = [];
  const quiet = (): void => undefined;
  const log = { info: quiet, warn: quiet, error: (_: string, fields: object = {}) => void lines.push(fields as never) };
  let message = 'its ledger cannot be opened';
  const start = async () => ({ ok: false, exitCode: 1, message }) as const;
  const keeper = new AccountKeeper({
    account: 'one',
    clock,
    desk: new TurnDesk(['one']),
    log,
    start,
    once: false,
    againMs: 60_000,
  });
  const stopping = new AbortController();
  await keeper.begin();
  const over = keeper.run(stopping.signal);
  await clock.advance(24 * 3_600_000);
  expect(lines.map(({ times }) => times)).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1_024]);
  message = 'its folder is gone';
  await clock.advance(60_000);
  expect(lines.slice(11)).toMatchObject([{ message, times: 1 }]);
  stopping.abort();
  await over;
});
