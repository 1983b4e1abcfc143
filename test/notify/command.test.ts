import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Sent } from '../../src/notify/channel.ts';
import { commandChannel } from '../../src/notify/command.ts';
import { VirtualClock } from '../support/virtual-clock.ts';
import { letter } from './letters.ts';

const env = { PATH: process.env['PATH'], MAGPIE_API_KEY: 'secret-key' };

function place(): string {
  const folder = mkdtempSync(join(tmpdir(), 'magpie-notify-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Runs a script of Node.js as the command. */
function told(script: string, args: readonly string[] = [], clock = new VirtualClock()): Promise<Sent> {
  const channel = commandChannel([process.execPath, '-e', script, ...args], { clock, env });
  return channel.send(letter(['$(touch owned) `id` "quoted"']), new AbortController().signal);
}

describe('a command', () => {
  it('gets the letter as JSON on its input, its own words as they are, and no key of the environment', async () => {
    const file = join(place(), 'out.json');
    const script = `
      const all = { args: process.argv.slice(1), key: process.env.MAGPIE_API_KEY ?? null, told: JSON.parse(require('fs').readFileSync(0, 'utf8')) };
      require('fs').writeFileSync(process.argv[1], JSON.stringify(all));`;
    expect(await told(script, [file, '$HOME; rm -rf *'])).toEqual({ ok: true });
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
      args: [file, '$HOME; rm -rf *'],
      key: null,
      told: { version: 1, total: 1, alerts: [{ kind: 'refund', message: '$(touch owned) `id` "quoted"' }] },
    });
  });

  it('that fails, reads nothing, or is not there, is told of as a value', async () => {
    expect(await told('process.exit(3)')).toMatchObject({ ok: false, kind: 'transient', message: 'it ended with exit code 3' });
    expect(await told('process.stdin.destroy()')).toEqual({ ok: true });
    const missing = commandChannel([join(place(), 'missing')], { clock: new VirtualClock(), env });
    expect(await missing.send(letter(['x']), new AbortController().signal)).toMatchObject({ ok: false, kind: 'refused' });
    const odd = commandChannel(['a\0b'], { clock: new VirtualClock(), env });
    expect(await odd.send(letter(['x']), new AbortController().signal)).toMatchObject({ ok: false, kind: 'refused' });
  });

  it('that does not end is stopped after thirty seconds, and at once when Magpie stops', async () => {
    const clock = new VirtualClock();
    const sent = told('setInterval(() => {}, 1000)', [], clock);
    await clock.advance(30_000);
    expect(await sent).toMatchObject({ ok: false, message: 'it did not end within 30 s and was stopped' });
    const ending = new AbortController();
    const channel = commandChannel([process.execPath, '-e', 'setInterval(() => {}, 1000)'], { clock, env });
    const second = channel.send(letter(['x']), ending.signal);
    ending.abort();
    expect(await second).toMatchObject({ ok: false, kind: 'transient', message: 'it was ended by SIGKILL' });
    expect(clock.pending).toBe(0);
  });
});
