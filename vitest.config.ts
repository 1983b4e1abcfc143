import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { seededRandom } from './src/domain/random.ts';

/** What takes longest, begun first: last, it would keep one worker long after the others are done. */
const long = ['e2e/kill.test.ts', 'simulation/simulation.test.ts', 'app/wrong-answers.test.ts', 'cli/audit.test.ts'];

/** Files in a new order each time, but for the long ones. */
class LongFirst extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const random = seededRandom(this.ctx.config.sequence.seed, 'files');
    const drawn = files.map((file) => ({ file, place: placeOf(file.moduleId) ?? long.length + random.next() }));
    return Promise.resolve(drawn.sort((one, other) => one.place - other.place).map(({ file }) => file));
  }
}

function placeOf(path: string): number | undefined {
  const place = long.findIndex((name) => path.endsWith(name));
  return place < 0 ? undefined : place;
}

/** `npm test`: everything that is quick. A test must not lean on another having run before it, hence the shuffle. */
export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/**/*.full.test.ts'],
    sequence: { shuffle: { tests: true, files: true }, sequencer: LongFirst },
    // Most of the time is waiting, for a process or a socket: one worker a core less one would leave the machine idle.
    maxWorkers: 4,
    testTimeout: 60_000,
  },
});
