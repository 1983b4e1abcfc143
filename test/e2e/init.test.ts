import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { spawn } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { isInstalled } from '../support/programs.ts';
import { freshFolder } from './fresh-folder.ts';

const program = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

/** Types at a terminal in which `magpie init` runs, and more once it has asked what is named; gives its exit code. */
function typed(folder: string, keys: string, then?: { readonly asked: string; readonly keys: string }): Promise<number | null> {
  const command = `'${process.execPath}' '${program}' init '${folder}'`;
  const child = spawn('script', ['-qec', command, '/dev/null'], { stdio: ['pipe', 'pipe', 'ignore'] });
  child.stdin.write(keys);
  let [said, left] = ['', then];
  child.stdout.on('data', (piece) => {
    said += String(piece);
    if (left === undefined || !said.includes(left.asked)) return;
    child.stdin.write(left.keys);
    left = undefined;
  });
  return new Promise((resolve) => child.on('exit', resolve));
}

describe('init at a terminal', () => {
  it.runIf(isInstalled('script'))('takes what is typed, ahead as well, and the usual for an empty line', async () => {
    const folder = join(freshFolder(), 'mine');
    expect(await typed(folder, 'https://market.example\rn\r15\r30\r\rAWP | *\r70\r')).toBe(0);
    const config = readFileSync(join(folder, 'live.yaml'), 'utf8');
    expect(config).toContain('require: off');
    expect(config).toContain('  maxPrice: 15 ');
    expect(config).toContain('{ hour: 15, day: 30, total: 500 }');
    expect(readFileSync(join(folder, 'strategies/first.yaml'), 'utf8')).toContain('name: "AWP | *"');
  });

  it.runIf(isInstalled('script'))('writes nothing when it is ended with Ctrl-C', async () => {
    const folder = join(freshFolder(), 'mine');
    expect(await typed(folder, 'https://market.example\r', { asked: 'top-level key', keys: '\x03' })).not.toBe(0);
    expect(() => readFileSync(join(folder, 'live.yaml'))).toThrow('ENOENT');
  });
});
