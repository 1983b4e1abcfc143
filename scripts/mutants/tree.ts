import { spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Mutant } from './mutant.ts';

/** The top of the project. */
export const top = fileURLToPath(new URL('../..', import.meta.url));

const copied = [
  'src',
  'test',
  'scripts',
  'config',
  'data',
  'strategies',
  'package.json',
  'tsconfig.json',
  'vitest.config.ts',
  'vitest.full.config.ts',
];

/** What is wrong with a mutant that no longer fits the program; undefined when it fits. */
export function misfit({ name, edits }: Mutant): string | undefined {
  for (const { file, find } of edits) {
    const count = readFileSync(join(top, file), 'utf8').split(find).length - 1;
    if (count !== 1) return `${name}: its text stands ${count} times in ${file}, once is needed:\n${find}`;
  }
  return undefined;
}

/** A copy of the project in which faults are planted; the project itself is never touched. */
export class Tree {
  readonly folder = mkdtempSync(join(tmpdir(), 'magpie-mutants-'));

  constructor() {
    for (const name of copied) cpSync(join(top, name), join(this.folder, name), { recursive: true });
    symlinkSync(join(top, 'node_modules'), join(this.folder, 'node_modules'));
  }

  /** Plants a fault; returns how to take it out again. */
  plant({ edits }: Mutant): () => void {
    const before = new Map(edits.map(({ file }) => [file, readFileSync(join(this.folder, file), 'utf8')]));
    for (const { file, find, replace } of edits) {
      const path = join(this.folder, file);
      // A function, so that a dollar sign of the replacement means itself.
      writeFileSync(
        path,
        readFileSync(path, 'utf8').replace(find, () => replace),
      );
    }
    return () => {
      for (const [file, text] of before) writeFileSync(join(this.folder, file), text);
    };
  }

  /** What the compiler says against it; a fault that does not even compile is no fault of ours. */
  compilerSays(): string | undefined {
    const args = [
      'tsc',
      '--noEmit',
      '--noUnusedLocals',
      'false',
      '--noUnusedParameters',
      'false',
      '--allowUnreachableCode',
      'true',
    ];
    const { status, stdout } = spawnSync('npx', args, { cwd: this.folder, encoding: 'utf8' });
    return status === 0 ? undefined : stdout.slice(0, 2_000);
  }

  /** Whether a test file fails in it. */
  testFails(file: string): Promise<boolean> {
    const child = spawn('npx', ['vitest', 'run', file], { cwd: this.folder, stdio: 'ignore' });
    return new Promise((resolve) => void child.on('close', (code) => resolve(code !== 0)));
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
