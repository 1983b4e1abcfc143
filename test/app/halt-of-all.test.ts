import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SystemClock } from '../../src/app/system-clock.ts';
import { magpie } from '../cli/harness.ts';
import { startOperator } from './accounts-stage.ts';
import { freshPlace, offer, openExchange } from './stage.ts';

describe('a halt beside a process that serves several accounts', () => {
  it.each([
    ['an account was taken out of the file', ({ anna }: Record<string, unknown>) => ({ anna })],
    ['nothing stands in its block', (accounts: Record<string, unknown>) => ({ ...accounts, bert: null })],
    ['the file does not say which there are', () => '${ALL}'],
  ])('closes buying in each that was started, though %s since', async (_, changed) => {
    const exchange = await openExchange({ offers: [offer('900000001')], children: 2 });
    const { topLevelKey, tradeUrl, childKeys, baseUrl } = exchange;
    const [one, two] = childKeys;
    const place = freshPlace();
    const operator = await startOperator({
      ...{ place, baseUrl, topLevelKey, tradeUrl, config: { limits: { maxPrice: 0.01, spend: { day: 25 } } } },
      accounts: { anna: { apiKey: one }, bert: { apiKey: two } },
    });
    for (const name of ['anna', 'bert'])
      await operator.sees(`${name} is open`, () => new RegExp(`\\[${name}\\] .*buying is open`).test(operator.text));
    const file = join(place, 'magpie.yaml');
    const whole = JSON.parse(readFileSync(file, 'utf8')) as { accounts: Record<string, unknown> };
    writeFileSync(file, JSON.stringify({ ...whole, accounts: changed(whole.accounts) }), { mode: 0o600 });
    const given = { cwd: place, clock: new SystemClock(), env: { XDG_RUNTIME_DIR: place } };
    const { out, err } = await magpie(['halt', '--reason', 'stop all', '--config', 'magpie.yaml'], given);
    expect(out + err).not.toContain('NOT');
    const haltOf = (at: number): string | undefined => operator.platform.accounts[at]?.daemon?.core.state.halt?.reason;
    await operator.sees('both have heard of it', () => haltOf(0) === 'stop all' && haltOf(1) === 'stop all');
  });
});
