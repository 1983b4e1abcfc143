import { describe, expect, it } from 'vitest';
import { axisPairs, heatMap } from '../../../src/replay/sweep/heat-map.ts';

describe('a map of two values', () => {
  it('has a place for each, numbers rising, and nothing where nothing was tried', () => {
    const map = heatMap(
      ['a', 'b'],
      [0, 1],
      [
        { setting: [2, 'x'], value: 5 },
        { setting: [1, 'x'], value: 3 },
        { setting: [1, 'y'], value: 4 },
      ],
    );
    expect(map).toMatchObject({ down: 'a', across: 'b', rows: ['1', '2'], columns: ['x', 'y'] });
    expect(map.cells).toEqual([
      [
        { value: 3, of: 1 },
        { value: 4, of: 1 },
      ],
      [{ value: 5, of: 1 }, undefined],
    ]);
  });

  it('joins many numbers, each of which stands in one place', () => {
    const points = Array.from({ length: 100 }, (_, index) => ({ setting: [index / 7, index % 2], value: index }));
    const { rows, cells } = heatMap(['a', 'b'], [0, 1], points);
    expect(rows).toHaveLength(8);
    expect(rows[0]).toBe('0–1.768');
    expect(cells.flat().reduce((sum, cell) => sum + (cell?.of ?? 0), 0)).toBe(100);
  });

  it('is made for each pair of values that were varied at all', () => {
    const points = [
      { setting: [1, 'same', 3], value: 0 },
      { setting: [2, 'same', 4], value: 0 },
    ];
    expect(axisPairs(points)).toEqual([[0, 2]]);
    expect(axisPairs([])).toEqual([]);
  });
});
