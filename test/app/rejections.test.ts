import { describe, expect, it } from 'vitest';
import { Rejections } from '../../src/app/accounts/rejections.ts';

describe('a rejection that nobody handles', () => {
  it('is told to whose work it comes of, however late, and is thrown on where it is nobody’s', async () => {
    const rejections = new Rejections();
    const told: unknown[] = [];
    const later = async (what: string): Promise<void> => {
      await new Promise((resolve) => void setTimeout(resolve, 1));
      rejections.heard(what);
    };
    await rejections.of(
      (error) => told.push(['anna', error]),
      () =>
        rejections
          .of(
            (error) => told.push(['bert', error]),
            () => later('one'),
          )
          .then(() => later('two')),
    );
    expect(told).toEqual([
      ['bert', 'one'],
      ['anna', 'two'],
    ]);
    await expect(later('of the process')).rejects.toBe('of the process');
  });
});
