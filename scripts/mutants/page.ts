import type { Edit, Mutant } from './mutant.ts';

/** The page of all planted faults: those that a simulated life must show, and those that none shows, with why, and the test that does. */
export function plantedFaultsPage(mutants: readonly Mutant[], note: string): string {
  const must = mutants.filter(({ survives }) => survives === undefined);
  const rows = must.map(({ name, breaks, edits }) => rowOf([`\`${name}\``, breaks, filesOf(edits)]));
  const others = mutants.flatMap(({ name, breaks, survives }) =>
    survives === undefined ? [] : [rowOf([`\`${name}\``, breaks, survives.because, `\`${survives.caughtBy}\``])],
  );
  return `${head(note, must.length, others.length)}
## What a simulated life must show

${[rowOf(['Fault', 'What it breaks', 'Where']), rowOf(['---', '---', '---']), ...rows].join('\n')}

## What no life has to show

Another guard stands behind the one that is broken, or what it takes is rarer than lives are many. Each has a test that fails with it.

${[rowOf(['Fault', 'What it breaks', 'Why no life shows it', 'The test that does']), rowOf(['---', '---', '---', '---']), ...others].join('\n')}
`;
}

const head = (note: string, must: number, others: number): string => `# Planted faults

${note}

A test that cannot fail proves nothing. So faults are planted in a copy of the program, one at a time, each a small change such as a tired hand would make, and lives are
simulated until one of them shows that a promise about money is broken: \`npm run mutants -- --seeds 1000\`; \`--only bought-twice\` plants one of them. The seed that
caught it must show nothing without the fault. Of ${must + others} planted faults a life must catch ${must}; the other ${others} are left to a test that is named, which must fail
with the fault and pass without it.
`;

function rowOf(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

function filesOf(edits: readonly Edit[]): string {
  return [...new Set(edits.map(({ file }) => `\`${file}\``))].join(', ');
}
