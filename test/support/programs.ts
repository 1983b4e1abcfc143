import { spawnSync } from 'node:child_process';

/** Whether a program is installed. In CI it is taken to be: there a test that cannot run must fail, and not be left out. */
export function isInstalled(program: string): boolean {
  return process.env['CI'] !== undefined || spawnSync(program, ['--version'], { stdio: 'ignore' }).error === undefined;
}

/** Runs a program to its end; what it says on both streams comes with its exit code. */
export function ran(
  program: string,
  args: readonly string[],
  cwd?: string,
): { readonly code: number | null; readonly out: string; readonly err: string } {
  const { status, stdout, stderr, error } = spawnSync(program, [...args], { cwd, encoding: 'utf8', timeout: 60_000 });
  if (error) throw error;
  return { code: status, out: stdout, err: stderr };
}
