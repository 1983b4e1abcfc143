import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const here = fileURLToPath(new URL('./', import.meta.url));

/** The page as the daemon serves it: a handful of files beside the program, without anything inline, for the policy forbids that. */
export default defineConfig({
  root: here,
  base: './',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  logLevel: 'warn',
  build: {
    outDir: fileURLToPath(new URL('../../../dist/web/page/', import.meta.url)),
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    license: { fileName: 'licences.md' },
    target: 'es2022',
  },
});
