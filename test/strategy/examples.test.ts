import { readFileSync, readdirSync } from 'node:fs';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { Listing } from '../../src/domain/listing.ts';
import { createSandbox } from '../../src/sandbox/sandbox.ts';
import { parseStrategy } from '../../src/strategy/parse.ts';
import { readListing } from '../../src/strategy/read-listing.ts';
import { strategyJsonSchema } from '../../src/strategy/schema.ts';
import type { Strategy } from '../../src/strategy/strategy.ts';
import { VirtualClock } from '../support/virtual-clock.ts';

const folder = new URL('../../strategies/', import.meta.url);
const examples = readdirSync(folder)
  .filter((name) => name.endsWith('.yaml'))
  .map((file) => ({ file, text: readFileSync(new URL(file, folder), 'utf8') }));

function compiled(text: string): Strategy {
  const parsed = parseStrategy(parse(text), { text, hash: '' });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.faults));
  expect(parsed.warnings).toEqual([]);
  return parsed.strategy;
}

/** Every offer that the made-up market shows within an hour, looked at every ten seconds. */
async function anHourOfOffers(): Promise<Listing[]> {
  const clock = new VirtualClock();
  const sandbox = createSandbox({ seed: 7, clock });
  const request = { method: 'GET', path: '/v2/partner/live/listings', query: {}, body: undefined };
  const seen = new Map<string, Listing>();
  for (let look = 0; look < 360; look++) {
    const { bodyText } = sandbox.handle({ ...request, headers: { 'x-api-key': sandbox.childKey } });
    const { data } = JSON.parse(bodyText) as { data: { listings: unknown[] } };
    for (const raw of data.listings) {
      const read = readListing(raw);
      if (read.ok) seen.set(`${read.listing.key} ${read.listing.priceWithFee}`, read.listing);
    }
    await clock.advance(10_000);
  }
  sandbox.close();
  return [...seen.values()];
}

describe('the example strategies', () => {
  it('are at least eight, one of them on paper', () => {
    const lanes = examples.map(({ text }) => compiled(text).lane);
    expect(lanes.length).toBeGreaterThanOrEqual(8);
    expect(lanes).toContain('paper');
  });

  it.each(examples)('$file is without fault, named after its file, limited, and known to editors', ({ file, text }) => {
    const strategy = compiled(text);
    expect(strategy.name).toBe(file.replace('.yaml', ''));
    expect(Object.values(strategy.limits).some((limit) => Object.values(limit).length > 0)).toBe(true);
    expect(text).toMatch(/^# yaml-language-server: \$schema=\.\.\/schemas\/strategy\.schema\.json\n/);
    const validate = new Ajv({ strict: false }).compile(strategyJsonSchema());
    expect({ valid: validate(parse(text)), errors: validate.errors }).toEqual({ valid: true, errors: null });
  });

  it('each find something on the sandbox market within an hour, and none buys everything', async () => {
    const offers = await anHourOfOffers();
    const found = examples.map(({ file, text }) => {
      const { matches } = compiled(text);
      return { file, share: offers.filter((each) => matches(each)).length / offers.length };
    });
    expect(offers.length).toBeGreaterThan(5_000);
    expect(found.filter(({ share }) => share === 0 || share > 0.2)).toEqual([]);
  });
});
