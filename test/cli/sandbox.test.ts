import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SystemClock } from '../../src/app/system-clock.ts';
import { createIo } from '../../src/cli/io.ts';
import { runProgram } from '../../src/cli/program.ts';
import { entry } from '../support/feed-entries.ts';
import { Signals, magpie, place } from './harness.ts';

interface Serving {
  readonly firstOutput: Promise<string>;
  readonly signals: Signals;
  readonly code: Promise<number>;
}

function serve(cwd: string, args: readonly string[]): Serving {
  const signals = new Signals();
  let told = (_text: string): void => undefined;
  const firstOutput = new Promise<string>((resolve) => {
    told = resolve;
  });
  const outlet = { write: (text: string) => told(text), isTerminal: false, columns: undefined };
  const quiet = { ...outlet, write: () => undefined };
  const io = createIo({
    stdout: outlet,
    stderr: quiet,
    env: {},
    cwd,
    clock: new SystemClock(),
    onSignal: (name, work) => signals.on(name, work),
  });
  return { firstOutput, signals, code: runProgram(['sandbox', '--port', '0', ...args], io) };
}

async function listingsAt(line: string): Promise<readonly { id: string }[]> {
  const { baseUrl, childKey } = JSON.parse(line) as { baseUrl: string; childKey: string };
  const answer = await fetch(`${baseUrl}/v2/partner/live/listings`, {
    headers: { 'x-api-key': childKey, 'partner-api-key': childKey, authorization: `Bearer ${childKey}` },
  });
  return ((await answer.json()) as { data: { listings: { id: string }[] } }).data.listings;
}

describe('sandbox', () => {
  it('serves the exchange, says in one line of JSON how to reach it, and ends at a signal', async () => {
    const cwd = place();
    const { firstOutput, signals, code } = serve(cwd, ['--json', '--seed', '3', '--listings', '40']);
    const line = await firstOutput;
    expect(line.trimEnd().split('\n')).toHaveLength(1);
    expect(JSON.parse(line)).toMatchObject({
      baseUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/) as string,
      topLevelKey: expect.any(String) as string,
      childKey: expect.any(String) as string,
      tradeUrl: expect.stringMatching(/^https:\/\/.*\/tradeoffer\/new\/\?partner=\d+&token=\w+$/) as string,
    });
    expect((await listingsAt(line)).length).toBeGreaterThan(10);
    signals.send('SIGTERM');
    expect(await code).toBe(0);
    expect(existsSync(join(cwd, 'data'))).toBe(false);
  });

  it('serves exactly the listings of a saved answer', async () => {
    const listings = [entry({ id: '11' }), entry({ id: '12', market: 'ecosteam' })];
    const cwd = place({ 'saved.json': JSON.stringify({ success: true, data: { listings, listingsCount: 2 } }) });
    const { firstOutput, signals, code } = serve(cwd, ['--json', '--snapshot', 'saved.json']);
    expect((await listingsAt(await firstOutput)).map(({ id }) => id)).toEqual(['11', '12']);
    signals.send('SIGINT');
    expect(await code).toBe(0);
  });

  it('keeps its books where --data says, for one process at a time', async () => {
    const cwd = place();
    const { firstOutput, signals, code } = serve(cwd, ['--data', 'books']);
    expect(await firstOutput).toContain('Play money');
    expect((await magpie(['sandbox', '--data', 'books', '--port', '0'], { cwd })).code).toBe(3);
    signals.send('SIGINT');
    expect(await code).toBe(0);
    expect(existsSync(join(cwd, 'books', 'sandbox.db'))).toBe(true);
    const other = await magpie(['sandbox', '--data', 'books', '--port', '0', '--seed', '99'], { cwd });
    expect(other.code).toBe(2);
    expect(other.err).toContain('seed 7');
  });

  it('takes faults as names with rates, or from a file', async () => {
    const cwd = place({ 'faults.yaml': '# some\nbuyLostAfter: 0.5\nreadLate: 0.25   # a quarter\n' });
    const { firstOutput, signals, code } = serve(cwd, ['--json', '--faults', 'faults.yaml']);
    const { baseUrl, controlKey } = JSON.parse(await firstOutput) as { baseUrl: string; controlKey: string };
    const rates = (await (
      await fetch(`${baseUrl}/sandbox/faults`, { headers: { 'x-sandbox-control': controlKey } })
    ).json()) as object;
    expect(rates).toMatchObject({ buyLostAfter: 0.5, readLate: 0.25 });
    signals.send('SIGINT');
    expect(await code).toBe(0);
  });

  it('refuses what cannot be, with what could', async () => {
    const cwd = place({ 'no.json': '{}' });
    const wrong = [
      ['--faults', 'buyLostAfer=0.1'],
      ['--faults', 'buyLate=2'],
      ['--faults', 'nothing.txt'],
      ['--snapshot', 'no.json'],
      ['--snapshot', 'gone.json'],
      ['--port', '-1'],
      ['--seed', 'x'],
      ['--speed', '0'],
    ];
    for (const args of wrong) {
      const { code, out } = await magpie(['sandbox', ...args], { cwd });
      expect({ args, code, out }).toEqual({ args, code: 2, out: '' });
    }
    expect((await magpie(['sandbox', '--faults', 'buyLostAfer=0.1'], { cwd })).err).toContain('Did you mean buyLostAfter?');
  });
});
