/**
 * Long tests of which one that fails gets a second try, which is told of: they look at a browser, at the memory of a process, or at how much
 * gets done in a second, on a machine that may have other work. What proves that money is safe is never among them: seen once is seen.
 */
export const triedTwice: readonly string[] = [
  'test/app/hooks.full.test.ts',
  'test/app/metrics.full.test.ts',
  'test/app/notifier.full.test.ts',
  'test/bench/race.full.test.ts',
  'test/cli/backtest-report.full.test.ts',
  'test/cli/sweep-report.full.test.ts',
  'test/client/example-bot.full.test.ts',
  'test/docs/commands.full.test.ts',
  'test/e2e/resources.full.test.ts',
  'test/scripts/million-polls.full.test.ts',
  'test/scripts/soak.full.test.ts',
  'test/support/browser.full.test.ts',
  'test/web/accounts.full.test.ts',
  'test/web/behaviour.full.test.ts',
  'test/web/lists.full.test.ts',
  'test/web/page.full.test.ts',
  'test/web/run.full.test.ts',
];
