// Adds up vitest's JSON reports and prints `N passed, N failed` as the last line of a run. A report that is missing counts
// nothing; the exit code is 0 only when some test ran and none failed.
import { existsSync, readFileSync } from 'node:fs';

/**
 * @typedef {{ status: string, assertionResults: { status: string }[] }} TestFile
 * @typedef {{ numPassedTests: number, numFailedTests: number, testResults: TestFile[] }} Report
 */

/**
 * A file that could not even be loaded has no tests to fail, and counts as one that did.
 * @param {TestFile} file
 */
const failedToLoad = (file) => file.status === 'failed' && file.assertionResults.every(({ status }) => status !== 'failed');

let passed = 0;
let failed = 0;
for (const path of process.argv.slice(2).filter((name) => existsSync(name))) {
  /** @type {Report} */
  const report = JSON.parse(readFileSync(path, 'utf8'));
  passed += report.numPassedTests;
  failed += report.numFailedTests + report.testResults.filter(failedToLoad).length;
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = passed > 0 && failed === 0 ? 0 : 1;
