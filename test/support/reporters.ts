import type { InlineConfig, Reporter, TestModule } from 'vitest/node';

/** Tells in the end which tests passed only when they were tried again, and what had failed: a second try is no secret. */
class SecondTries implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const tries = modules.flatMap((module) => [...module.children.allTests('passed')].filter((test) => test.diagnostic()?.flaky));
    if (tries.length === 0) return;
    const lines = tries.flatMap((test) => [
      `  ${test.module.relativeModuleId} > ${test.fullName}`,
      ...(test.result().errors ?? []).map(({ message }) => `    ${message.split('\n', 1)[0]}`),
    ]);
    process.stdout.write(`\nPassed only at a second try:\n${lines.join('\n')}\n`);
  }
}

/** What a run tells at the terminal, and where it leaves its counts as JSON: at `report`, if anywhere. */
export function reportersTo(report: string | undefined): NonNullable<InlineConfig['reporters']> {
  const counts = report === undefined ? [] : [['json', { outputFile: report }] as [string, Record<string, unknown>]];
  return ['default', new SecondTries(), ...counts];
}
