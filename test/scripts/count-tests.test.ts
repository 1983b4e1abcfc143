import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';

const script = fileURLToPath(new URL('../../scripts/count-tests.mjs', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'magpie-count-'));
afterAll(() => rmSync(folder, { recursive: true }));

const passed = { status: 'passed' };
const failed = { status: 'failed' };
const fine = { numPassedTests: 2, numFailedTests: 0, testResults: [{ ...passed, assertionResults: [passed, passed] }] };
const broken = { numPassedTests: 1, numFailedTests: 1, testResults: [{ ...failed, assertionResults: [passed, failed] }] };
const unloaded = { numPassedTests: 0, numFailedTests: 0, testResults: [{ ...failed, assertionResults: [] }] };

/** The line that the script prints for these reports, and whether it calls the run good. */
function counted(...reports: unknown[]): [line: string, good: boolean] {
  const paths = reports.map((report, index) => {
    const path = join(folder, `${index}.json`);
    writeFileSync(path, JSON.stringify(report));
    return path;
  });
  const { stdout, status } = spawnSync(process.execPath, [script, ...paths, join(folder, 'missing.json')], { encoding: 'utf8' });
  return [stdout, status === 0];
}

describe('the last line of a run', () => {
  it('adds up what passed in every report', () => {
    expect(counted(fine, fine)).toEqual(['4 passed, 0 failed\n', true]);
  });

  it('is bad when a test failed anywhere', () => {
    expect(counted(fine, broken)).toEqual(['3 passed, 1 failed\n', false]);
  });

  it('counts a file that could not be loaded as a failure', () => {
    expect(counted(fine, unloaded)).toEqual(['2 passed, 1 failed\n', false]);
  });

  it('is bad when no test ran', () => {
    expect(counted()).toEqual(['0 passed, 0 failed\n', false]);
  });
});
