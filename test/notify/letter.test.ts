import { describe, expect, it } from 'vitest';
import { harmlessForDiscord } from '../../src/notify/harmless.ts';
import { type Letter, letterJson, textOf } from '../../src/notify/letter.ts';
import { NOON } from '../support/values.ts';
import { letter, news } from './letters.ts';

const asIs = (line: string): string => line;

describe('the text of a letter', () => {
  it('is what happened and what to do, where it is one thing', () => {
    const one: Letter = {
      ...letter([]),
      groups: [{ kind: 'halt', count: 1, newest: [news('Buying has halted itself', { next: 'look into it' })] }],
    };
    expect(textOf(one, asIs, 2_000)).toMatchInlineSnapshot(`
      "Magpie: halt
      • Buying has halted itself
      → look into it"
    `);
  });

  it('says when it was, where it had to wait', () => {
    expect(textOf({ ...letter(['late']), at: NOON + 300_001 }, asIs, 2_000)).toContain('• 2026-01-05 12:00 UTC: late');
    expect(textOf({ ...letter(['soon']), at: NOON + 300_000 }, asIs, 2_000)).toContain('• soon');
  });

  it('counts each kind and shows the newest, what a person must act on first', () => {
    const many: Letter = {
      from: 'Magpie',
      at: NOON,
      brief: false,
      groups: [
        { kind: 'reverted', count: 120, newest: [news('bought A'), news('bought B')] },
        { kind: 'halt', count: 1, newest: [news('halted')] },
      ],
    };
    expect(textOf(many, asIs, 2_000)).toMatchInlineSnapshot(`
      "Magpie: 121 messages (halt, reverted × 120)
      • halted
      reverted: the newest 2 of 120
      • bought A
      • bought B"
    `);
    expect(textOf({ ...many, brief: true }, asIs, 2_000)).toMatchInlineSnapshot(`
      "Magpie: 121 messages (halt, reverted × 120)
      … more than fits in here: magpie status shows the newest"
    `);
  });

  it.each([2_000, 4_096])('is never longer than %i characters, and says that more happened', (limit) => {
    const long = letter(
      Array.from({ length: 40 }, (_, number) => `*${'[@_'.repeat(300)} ${number}`),
      'refund',
      10_000,
    );
    const text = textOf(long, harmlessForDiscord, limit);
    expect(text.length).toBeLessThanOrEqual(limit);
    expect(text).toContain('refund × 10000');
    expect(text.endsWith('magpie status shows the newest')).toBe(true);
  });

  it('stands beside the exact texts for a program', () => {
    const { groups, ...rest } = letter(['★ Karambit | *Doppler*'], 'refund', 3);
    const [group] = groups;
    const given = {
      ...rest,
      groups: [{ ...group!, newest: [news('★ Karambit | *Doppler*', { id: 'alert-7', purchaseId: 5 })] }],
    };
    expect(letterJson(given, 'text', NOON)).toMatchInlineSnapshot(`
      {
        "alerts": [
          {
            "at": "2026-01-05T12:00:00.000Z",
            "id": "alert-7",
            "kind": "refund",
            "message": "★ Karambit | *Doppler*",
            "next": null,
            "purchaseId": 5,
          },
        ],
        "counts": {
          "refund": 3,
        },
        "from": "Magpie",
        "sentAt": "2026-01-05T12:00:00.000Z",
        "text": "text",
        "total": 3,
        "version": 1,
      }
    `);
  });
});
