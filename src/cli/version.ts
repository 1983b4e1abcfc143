import { readFileSync } from 'node:fs';

interface Description {
  readonly version: string;
  readonly engines: { readonly node: string };
}

/** Of this package. */
export function versionOf(): string {
  return description().version;
}

/** Which versions of Node.js this package is made for, as `engines` of its description has it. */
export function enginesOf(): string {
  return description().engines.node;
}

/** It stands two folders up in src as in dist. */
function description(): Description {
  return JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as Description;
}
