import { readFileSync } from 'node:fs';

/** Of this package; its description stands two folders up in src as in dist. */
export function versionOf(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
