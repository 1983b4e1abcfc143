import { lstatSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Where reports of backtests are looked for, below the data folder. */
const FOLDERS = ['', 'reports', 'backtests'] as const;

const SHOWN = 200;
const BYTES_MAX = 32 * 1_024 * 1_024;

interface Report {
  /** `FOLDER:FILE.html`, since a name in an address has no slashes. */
  readonly name: string;
  readonly path: string;
  readonly bytes: number;
  readonly at: number;
}

/** Plain files of HTML in the data folder, newest first. What cannot be looked at is left out. */
function reportsIn(folder: string): readonly Report[] {
  const found = FOLDERS.flatMap((below) => filesOf(join(folder, below)).map((file) => ({ below, file })));
  return found
    .flatMap(({ below, file }): Report[] => {
      const path = join(folder, below, file);
      const stats = lstatSync(path, { throwIfNoEntry: false });
      if (stats === undefined || !stats.isFile() || stats.size > BYTES_MAX) return [];
      return [{ name: below === '' ? file : `${below}:${file}`, path, bytes: stats.size, at: stats.mtimeMs }];
    })
    .toSorted((one, other) => other.at - one.at)
    .slice(0, SHOWN);
}

function filesOf(folder: string): readonly string[] {
  const stats = lstatSync(folder, { throwIfNoEntry: false });
  if (stats === undefined || !stats.isDirectory()) return [];
  return readdirSync(folder).filter((name) => /\.html?$/i.test(name));
}

export function reportsJson(folder: string): unknown {
  return reportsIn(folder).map(({ name, bytes, at }) => ({ name, bytes, at: new Date(at).toISOString() }));
}

/** The bytes of one of those; undefined for any other name. */
export function reportBytes(folder: string, name: string): Uint8Array | undefined {
  const report = reportsIn(folder).find((each) => each.name === name);
  return report && readFileSync(report.path);
}
