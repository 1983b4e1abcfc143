import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { seededRandom } from '../../src/domain/random.ts';

/**
 * Files in a new order each time, but for those named, which begin first: last, one that takes long would keep one worker long after the
 * others are done.
 */
export function longFirst(names: readonly string[]): typeof BaseSequencer {
  const placeOf = (path: string): number | undefined => {
    const place = names.findIndex((name) => path.endsWith(name));
    return place < 0 ? undefined : place;
  };
  return class LongFirst extends BaseSequencer {
    override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
      const random = seededRandom(this.ctx.config.sequence.seed, 'files');
      const drawn = files.map((file) => ({ file, place: placeOf(file.moduleId) ?? names.length + random.next() }));
      return Promise.resolve(drawn.toSorted((one, other) => one.place - other.place).map(({ file }) => file));
    }
  };
}
