import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { preloadable } from '../support/preloaded.ts';

/** Stands before the system's library and notes each call that makes a file's contents durable, with the file's name. */
const watcher = `
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int noted(const char *call, int fd) {
  char link[64], path[4096], line[4200];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  path[length < 0 ? 0 : length] = 0;
  const char *slash = strrchr(path, '/');
  int written = snprintf(line, sizeof line, "synced %s\\n", slash ? slash + 1 : path);
  int lines = open(getenv("LINES"), O_WRONLY | O_APPEND | O_CREAT, 0600);
  if (write(lines, line, written) < 0) abort();
  close(lines);
  int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, call);
  return real(fd);
}
int fsync(int fd) { return noted("fsync", fd); }
int fdatasync(int fd) { return noted("fdatasync", fd); }
`;

it('a buy is one commit with one sync of the disk before its request, and one after its answer', () => {
  const place = mkdtempSync(join(tmpdir(), 'magpie-synced-'));
  onTestFinished(() => rmSync(place, { recursive: true, force: true }));
  const library = preloadable(place, watcher);
  const lines = join(place, 'lines');
  const child = fileURLToPath(new URL('./support/buying-child.ts', import.meta.url));
  execFileSync(process.execPath, ['--import', 'tsx', child, join(place, 'data'), lines], {
    env: { ...process.env, LD_PRELOAD: library, LINES: lines },
  });
  const said = readFileSync(lines, 'utf8').split('\n');
  const buys = said.slice(said.indexOf('decided 1'), said.indexOf('recorded 3') + 1);
  const each = (id: string): string[] => [
    `decided ${id}`,
    'synced magpie.db-wal',
    `sent ${id}`,
    'synced magpie.db-wal',
    `recorded ${id}`,
  ];
  expect(buys).toEqual([...each('1'), ...each('2'), ...each('3')]);
});
