import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Compiles C code to a library that a process may be started with (`LD_PRELOAD`), so that its calls to the system are heard; its path. */
export function preloadable(folder: string, code: string): string {
  const [source, library] = [join(folder, 'preloaded.c'), join(folder, 'preloaded.so')];
  writeFileSync(source, code);
  execFileSync('cc', ['-shared', '-fPIC', '-o', library, source, '-ldl']);
  return library;
}
