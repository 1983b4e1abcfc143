import { type Entry, coverageOf } from '../test/catalogue/coverage.ts';
import { readTree } from '../test/tidy/tree.ts';

// Prints the catalogue of faults with the tests that prove each number, and the numbers that have none with the reason.

const { entries, unknown } = coverageOf(readTree());
const say = (line: string): void => void process.stdout.write(`${line}\n`);

function told({ proofs, excuse }: Entry): string[] {
  if (excuse !== undefined)
    return ['decided' in excuse ? `decided otherwise: ${excuse.decided}` : `waits for ${excuse.waitsFor}`];
  if (proofs.length === 0) return ['LOST: no test, no reason'];
  return proofs.map(({ path, line, title }) => `${path}:${line} ${title}`);
}

for (const entry of entries) {
  say(`${entry.id.padEnd(16)} ${entry.title}`);
  for (const line of told(entry)) say(`${' '.repeat(16)}   ${line}`);
}
const proved = entries.filter(({ proofs }) => proofs.length > 0).length;
const excusedCount = entries.filter(({ excuse }) => excuse !== undefined).length;
const lost = entries.length - proved - excusedCount;
say('');
say(`${entries.length} numbers: ${proved} proved by tests, ${excusedCount} excused, ${lost} lost, ${unknown.length} unknown`);
process.exitCode = lost + unknown.length === 0 ? 0 : 1;
