import { parseArgs } from 'node:util';

export interface LongRunOptions {
  /** How long everything goes wrong. */
  readonly minutes: number;
  readonly seed: number;
  /** The fewest purchases that count as proof. */
  readonly purchases: number;
  /** Where it all lies; a new folder in the temporary one unless given, gone afterwards unless something differs. */
  readonly folder: string | undefined;
}

const usage = `npm run long-run -- [--minutes 15] [--seed 1] [--purchases 200] [--folder DIR]`;

/** Reads the command line of the long run. Throws Error with the usage for what it cannot be. */
export function longRunOptions(args: readonly string[]): LongRunOptions {
  const { values } = parseArgs({
    args: [...args],
    options: { minutes: { type: 'string' }, seed: { type: 'string' }, purchases: { type: 'string' }, folder: { type: 'string' } },
  });
  const number = (name: 'minutes' | 'seed' | 'purchases', otherwise: number): number => {
    const value = values[name] === undefined ? otherwise : Number(values[name]);
    if (!(value >= 0 && value <= 1_000_000))
      throw new Error(`--${name} ${values[name]} is no number from 0 to 1000000. ${usage}`);
    return value;
  };
  return { minutes: number('minutes', 15), seed: number('seed', 1), purchases: number('purchases', 200), folder: values.folder };
}
