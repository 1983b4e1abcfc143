import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Secret, scrubber } from '../../src/domain/secret.ts';
import { printable, serviceMessage } from '../../src/domain/text.ts';
import { causeOf, mayHaveOrder } from '../../src/gateway/causes.ts';
import { retryAfterMs, httpDate } from '../../src/domain/retry-after.ts';
import { saidIn } from '../../src/gateway/said.ts';
import { readListing } from '../../src/strategy/read-listing.ts';
import { parseStrategy } from '../../src/strategy/parse.ts';
import { entry } from '../support/feed-entries.ts';

/** CPU time in milliseconds, so that a busy machine does not count. */
function costOf(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/** Pieces that patterns of ours look for, and what they allow between them. */
const pieces = [
  ...['insufficient ', 'not enough ', 'balance ', 'funds ', 'price ', 'changed ', 'order ', 'already been ', 'is has been '],
  ...['not ', 'service ', 'trade url ', 'account is ', 'a', 'aa ', ' ', '  ', '\t', '<', '<a', '>', '_', '-', '.', '\u200b'],
  ...['Mon, ', '99 Nov 2026 ', '12:00:00 ', '0', '1,', '_1', '%', '%25', '\\', '\\\\', '&#', '&amp;', 'canary', 'canary+'],
];

/** Texts made of one or two pieces again and again, which is what makes a pattern go back and forth, and of all kinds of them. */
const hostileText = fc
  .tuple(
    fc.constantFrom(...pieces),
    fc.constantFrom(...pieces),
    fc.constantFrom('', '!', '\0', 'x'),
    fc.integer({ min: 1, max: 100_000 }),
  )
  .map(([one, other, end, length]) => `${(one + other).repeat(Math.ceil(length / (one.length + other.length)))}${end}`);

/** Far more than any of these takes for a text of 100,000 characters, and far less than what an exploding pattern takes. */
const LIMIT_MS = 4_000;

const scrub = scrubber([
  new Secret('canary+key/with=signs%2F\\"'),
  new Secret('aaaaaaaaaaaaaaaaaaaab'),
  new Secret(`${'\\\\'.repeat(12)}x\\\\\\\\y`),
]);

const readers: Readonly<Record<string, (text: string) => unknown>> = {
  'a message of the service': (text) => serviceMessage(text),
  'text for a terminal': (text) => printable(text, 100_000),
  'the words of a failure': (text) => {
    const { words } = saidIn({ code: text, message: text, error: { message: text } });
    return [causeOf(400, words), causeOf(200, words), mayHaveOrder(words)];
  },
  'words longer than are kept': (text) => [causeOf(403, text.slice(0, 20_000)), mayHaveOrder(text.slice(0, 20_000))],
  'Retry-After and Date': (text) => [retryAfterMs(text, 0), httpDate(text)],
  'a text to be scrubbed': (text) => scrub(text),
  'a listing': (text) =>
    readListing(entry({ marketHashName: text.slice(0, 512), collection: text, exterior: text, stickers: [{ name: text }] })),
  'a strategy': (text) =>
    parseStrategy(
      { name: text, when: { name: text, wear: text, rarity: [text, text] }, price: { max: text } },
      { text, hash: '' },
    ),
};

describe('a text made to take long', () => {
  it.each(Object.entries(readers))('is done with in a moment as %s [S23]', (_, read) => {
    fc.assert(
      fc.property(hostileText, (text) => {
        expect(costOf(() => read(text))).toBeLessThan(LIMIT_MS);
      }),
      // The commonest of such patterns let blanks go with one of two parts; and a long text that fails would take long to shrink.
      { numRuns: 60, examples: [[`${' '.repeat(100_000)}!`], [`${'\t'.repeat(100_000)}!`]], endOnFailure: true },
    );
  });
});
