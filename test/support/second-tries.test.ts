import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { TestProjectInlineConfiguration } from 'vitest/config';
import config from '../../vitest.full.config.ts';
import { triedTwice } from './second-tries.ts';

const top = fileURLToPath(new URL('../..', import.meta.url));

/** The number of a fault of the catalogue in a title, but for those of the page and of secrets, which a browser shows. */
const provesAFault = /\[(?!S\d+\])[A-Z]\d+[^\]]*\]['`]/;

describe('a second try', () => {
  it('is given by the long tests to those that are named, and by nothing else', () => {
    const { retry, projects = [] } = config.test ?? {};
    const tried = (projects as readonly TestProjectInlineConfiguration[]).flatMap(({ test }) => (test?.retry ? [test] : []));
    expect(retry).toBeUndefined();
    expect(tried.map(({ include, retry: times }) => ({ include, times }))).toEqual([{ include: triedTwice, times: 1 }]);
  });

  it('is for no file that proves what becomes of money', () => {
    expect(triedTwice.filter((path) => provesAFault.test(readFileSync(join(top, path), 'utf8')))).toEqual([]);
    expect(triedTwice.filter((path) => /^test\/(simulation|treasury|execution|ledger)\/|\/kill|\/storage/.test(path))).toEqual(
      [],
    );
  });
});
