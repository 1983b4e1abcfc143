import { describe, expect, it } from 'vitest';
import type { Listing } from '../../src/domain/listing.ts';
import { offer, strategyOf } from './offers.ts';

/** A report as lines of text, groups indented. */
function lines(keys: Record<string, unknown>, listing: Listing): string {
  return strategyOf(keys)
    .explain(listing)
    .map(({ path, depth, wants, has, verdict }) => `${'  '.repeat(depth)}${path} wants ${wants}; has ${has}: ${verdict}`)
    .join('\n');
}

describe('the report on a listing', () => {
  it('gives every condition in the order of the file, with what it wants and what it found', () => {
    const when = {
      wear: { min: 0.15, below: 0.18 },
      name: ['AK-47 | Redline*', 'AK-47 | Vulcan*'],
      any: [{ stickers: { min: 1, name: '*Katowice 2014*' } }, { charm: true, paintSeed: [661, 670] }],
      not: { exterior: 'Well-Worn' },
      steamPrice: { min: 1 },
      collection: '*Phoenix*',
    };
    const stickers = [{ name: 'Titan (Holo) | Katowice 2014' }, 3];
    const listing = offer({ wear: 0.17853047549724579, stickers, steamPrice: 19.999, collection: null });
    expect(lines({ when, price: { max: 20, maxOfSteam: 0.7, minProfit: 1.5 } }, listing)).toMatchInlineSnapshot(`
      "when.wear.min wants at least 0.15; has 0.1785304754972458: true
      when.wear.below wants below 0.18; has 0.1785304754972458: true
      when.name wants one of "AK-47 | Redline*", "AK-47 | Vulcan*"; has "AK-47 | Redline (Field-Tested)": true
      when.any wants at least one of these; has 1 of 2 true: true
        when.any[0].stickers wants at least 1 named "*Katowice 2014*"; has 1 of 2: "Titan (Holo) | Katowice 2014", one of unknown name: true
        when.any[1] wants all of these; has 1 of 2 true: false
          when.any[1].charm wants a charm; has none: false
          when.any[1].paintSeed wants one of 661, 670; has 661: true
      when.not wants not this; has 0 of 1 true: true
        when.not.exterior wants "Well-Worn"; has "Field-Tested": false
      when.steamPrice.min wants at least $1.00; has $19.999: true
      when.collection wants "*Phoenix*"; has absent: absent
      price.max wants at most $20.00; has $10.50: true
      price.maxOfSteam wants at most 70 % of steamPrice; has $10.50; the limit is $13.9993 of $19.999: true
      price.minProfit wants at least $1.50 left after Steam's fee; has $6.89: a sale at $19.999 leaves $17.39, it costs $10.50: true"
    `);
  });

  it('says what was absent', () => {
    const listing = offer({ wear: null, steamPrice: null, stickers: null, charm: undefined, exterior: null });
    const when = { wear: { max: 0.1 }, stickers: { min: 1 }, charm: '*Ava*', not: { exterior: 'Well-Worn' }, fade: { min: 90 } };
    expect(lines({ when, price: { maxOfSteam: 0.7, minProfit: 1, steamFee: 0.15 } }, listing)).toMatchInlineSnapshot(`
      "when.wear.max wants at most 0.1; has absent: absent
      when.stickers wants at least 1; has absent: absent
      when.charm wants a charm named "*Ava*"; has absent: absent
      when.not wants not this; has 0 of 1 true: absent
        when.not.exterior wants "Well-Worn"; has absent: absent
      when.fade.min wants at least 90; has absent: absent
      price.maxOfSteam wants at most 70 % of steamPrice; has absent: no steamPrice: absent
      price.minProfit wants at least $1.00 left after a fee of 15 %; has absent: no steamPrice: absent"
    `);
  });

  it('explains what holds back a ratio on a Doppler', () => {
    const listing = offer({
      marketHashName: '★ Karambit | Doppler (Factory New)',
      price: 500,
      priceWithFee: 510,
      steamPrice: 1_000,
    });
    expect(lines({ price: { maxOfSteam: 0.7 } }, listing)).toMatchInlineSnapshot(
      `"price.maxOfSteam wants at most 70 % of steamPrice; has a Doppler, whose steamPrice blends all phases; it counts only with \`doppler: true\`: false"`,
    );
    expect(lines({ doppler: true, price: { maxOfSteam: 0.7 } }, listing)).toMatchInlineSnapshot(
      `"price.maxOfSteam wants at most 70 % of steamPrice; has $510.00; the limit is $700.00 of $1000.00: true"`,
    );
  });

  it('shows money exactly and never a limit that would be passed', () => {
    expect(
      lines({ price: { maxOfSteam: 0.575 } }, offer({ price: 0.57, priceWithFee: 0.5751, steamPrice: 1 })),
    ).toMatchInlineSnapshot(
      `"price.maxOfSteam wants at most 57.5 % of steamPrice; has $0.5751; the limit is $0.575 of $1.00: false"`,
    );
    expect(
      lines({ price: { minProfit: 0.05 } }, offer({ price: 0.1, priceWithFee: 0.11, steamPrice: 0.22 })),
    ).toMatchInlineSnapshot(
      `"price.minProfit wants at least $0.05 left after Steam's fee; has $0.08: a sale at $0.22 leaves $0.19, it costs $0.11: true"`,
    );
    expect(
      lines({ price: { minProfit: 0.05, steamFee: 0.13 } }, offer({ price: 0.1, priceWithFee: 0.2, steamPrice: 0.22 })),
    ).toMatchInlineSnapshot(
      `"price.minProfit wants at least $0.05 left after a fee of 13 %; has -$0.0086: a sale at $0.22 leaves $0.1914, it costs $0.20: false"`,
    );
  });

  it('says that names come in another script than the one asked for', () => {
    const listing = offer({ stickers: [{ name: 'Clan-Mystik（全息）| 2014年卡托维兹锦标赛' }] });
    const found = (name: string | string[]): string => lines({ when: { stickers: { name } } }, listing).split('\n')[0] ?? '';
    expect(found('*Katowice 2014*')).toMatch(/has 0 of 1: .*: false$/);
    expect(found('*Katowice 2014*')).toContain('(names are in Chinese here: list that form too)');
    expect(found(['*Katowice 2014*', '*2014年卡托维兹*'])).toMatch(/has 1 of 1: "Clan-Mystik[^"]*": true$/);
  });

  it('lets nothing hostile through [N28 S18]', () => {
    const given = { exterior: '\u0007bell', stickers: [{ name: '\u001b]0;title\u0007' }], charm: { name: '\r\nforged line' } };
    const listing = { ...offer(given), name: 'AK-47\u001b[2J\u202e | Redline' };
    const when = { name: '*\u001b[31m*', exterior: 'x', stickers: { name: 'x' }, charm: 'x' };
    const report = lines({ when }, listing);
    expect(report).toMatchInlineSnapshot(`
      "when.name wants "*\\u001b[31m*"; has "AK-47\\u001b[2J\\u202e | Redline": false
      when.exterior wants "x"; has "\\u0007bell": false
      when.stickers wants at least 1 named "x"; has 0 of 1: "\\u001b]0;title\\u0007": false
      when.charm wants a charm named "x"; has "\\u000d\\u000aforged line": false
      price.max wants at most $1000000.00; has $10.50: true"
    `);
    // oxlint-disable-next-line no-control-regex -- none may be left
    expect(report).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
  });

  it('cuts a list of a thousand names short', () => {
    const name = Array.from({ length: 1_000 }, (_, index) => `Item ${index}`);
    expect(strategyOf({ when: { name } }).explain(offer())[0]?.wants).toMatchInlineSnapshot(
      `"one of "Item 0", "Item 1", "Item 2", "Item 3", "Item 4", "Item 5", "Item 6", "Item 7" and 992 more"`,
    );
    const paintSeed = Array.from({ length: 1_000 }, (_, seed) => seed);
    expect(strategyOf({ when: { name: '*', paintSeed } }).explain(offer())[1]?.wants).toMatchInlineSnapshot(
      `"one of 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 and 988 more"`,
    );
  });
});
