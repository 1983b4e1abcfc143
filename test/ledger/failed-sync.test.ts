import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { preloadable } from '../support/preloaded.ts';

/** Stands before the system's library: once the named file is there, the next sync of a log fails and takes it away, as a kernel tells it once. */
const failing = `
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int synced(const char *call, int fd) {
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  path[length < 0 ? 0 : length] = 0;
  const char *fault = getenv("FAULT");
  if (fault && length > 4 && strcmp(path + length - 4, "-wal") == 0 && unlink(fault) == 0) {
    errno = EIO;
    return -1;
  }
  int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, call);
  return real(fd);
}
int fsync(int fd) { return synced("fsync", fd); }
int fdatasync(int fd) { return synced("fdatasync", fd); }
`;

it('no intent rests on a log of which a sync has failed, though nobody waited for that one', () => {
  const place = mkdtempSync(join(tmpdir(), 'magpie-failed-sync-'));
  onTestFinished(() => rmSync(place, { recursive: true, force: true }));
  const library = preloadable(place, failing);
  const fault = join(place, 'fault');
  const child = fileURLToPath(new URL('./syncing-child.ts', import.meta.url));
  const run = (folder: string, ...args: string[]): unknown =>
    JSON.parse(
      execFileSync(process.execPath, ['--import', 'tsx', child, join(place, folder), ...args], {
        env: { ...process.env, LD_PRELOAD: library, FAULT: fault },
      }).toString(),
    );
  expect(run('sound')).toEqual({ failed: false, said: 'bought', isLogSmall: true, kept: 200_000 });
  expect(run('failing', fault)).toEqual({
    failed: true,
    said: 'JournalFailure: data/magpie.db: reading or writing failed: check the disk (disk I/O error, SQLITE_IOERR_FSYNC); restart Magpie after that',
    isLogSmall: true,
    kept: 200_000,
  });
});
