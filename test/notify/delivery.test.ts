import { describe, expect, it, onTestFinished } from 'vitest';
import type { Channel, Sent } from '../../src/notify/channel.ts';
import { Delivery } from '../../src/notify/delivery.ts';
import { type Letter, type News, textOf } from '../../src/notify/letter.ts';
import { VirtualClock } from '../support/virtual-clock.ts';
import { news } from './letters.ts';

const taken: Sent = { ok: true };
const away: Sent = { ok: false, kind: 'transient', message: 'away', retryAfterMs: undefined };
const refused: Sent = { ok: false, kind: 'refused', message: 'no', next: 'mend it' };

/** A channel that answers as it is told to, and what waits for it. */
function stage(answer: (letter: Letter) => Sent | Promise<Sent>): {
  readonly clock: VirtualClock;
  readonly letters: { readonly at: number; readonly text: string }[];
  readonly lines: string[];
  readonly delivery: Delivery;
  readonly stop: AbortController;
  happens(...texts: string[]): void;
} {
  const clock = new VirtualClock();
  const startedAt = clock.now();
  const [letters, lines]: [{ at: number; text: string }[], string[]] = [[], []];
  let queue: News[] = [];
  const channel: Channel = {
    name: 'command',
    send: async (letter) => {
      letters.push({ at: clock.now() - startedAt, text: textOf(letter, (line) => line, 500) });
      return answer(letter);
    },
  };
  const delivery = new Delivery({
    channel,
    from: 'Magpie',
    clock,
    waiting() {
      const told = [...queue];
      if (told.length === 0) return undefined;
      return {
        groups: [{ kind: 'refund', count: told.length, newest: told.slice(-2) }],
        told: () => void (queue = queue.filter((each) => !told.includes(each))),
      };
    },
    onFailing: ({ message }, tries) => void (tries === 1 && lines.push(`failing: ${message}`)),
    onWell: (tries) => void lines.push(`well after ${tries}`),
  });
  const stop = new AbortController();
  const ran = delivery.run(stop.signal);
  onTestFinished(async () => {
    stop.abort();
    await ran;
    expect(clock.pending).toBe(0);
  });
  return {
    clock,
    letters,
    lines,
    delivery,
    stop,
    happens: (...texts) => void queue.push(...texts.map((text) => news(text, { at: clock.now() }))),
  };
}

describe('what waits for a channel', () => {
  it('is told within a second; what comes soon after it goes together, some seconds later', async () => {
    const { clock, letters, happens } = stage(() => taken);
    await clock.advance(2_000);
    happens('a');
    await clock.advance(1_000);
    expect(letters.map(({ text }) => text)).toEqual(['Magpie: refund\n• a']);
    happens('b');
    happens('c', 'd');
    await clock.advance(5_000);
    expect(letters.map(({ at }) => at)).toEqual([3_000, 8_000]);
    expect(letters[1]?.text).toBe('Magpie: 3 messages (refund × 3)\nrefund: the newest 2 of 3\n• c\n• d');
    await clock.advance(3_600_000);
    expect(letters).toHaveLength(2);
  });

  it('is told once the channel is back, in one letter however long it was away, tried ever more seldom', async () => {
    let up = false;
    const { clock, letters, lines, happens } = stage(() => (up ? taken : away));
    happens('first');
    for (let hour = 0; hour < 72; hour += 1) {
      await clock.advance(3_600_000);
      happens(`in hour ${hour}`);
    }
    const tries = letters.map(({ at }) => at);
    expect(tries.slice(0, 5)).toEqual([1_000, 2_000, 4_000, 8_000, 16_000]);
    expect(tries.at(-1)! - tries.at(-2)!).toBe(300_000);
    expect(lines).toEqual(['failing: away']);
    up = true;
    await clock.advance(300_000);
    expect(letters).toHaveLength(tries.length + 1);
    expect(letters.at(-1)?.text).toContain('refund × 73');
    expect(lines).toEqual(['failing: away', `well after ${tries.length}`]);
    await clock.advance(3_600_000);
    expect(letters).toHaveLength(tries.length + 1);
  });

  it('waits as long as the channel asks', async () => {
    const asked: Sent[] = [{ ok: false, kind: 'transient', message: 'slow down', retryAfterMs: 600_000 }];
    const { clock, letters, happens } = stage(() => asked.shift() ?? taken);
    happens('a');
    await clock.advance(3_600_000);
    expect(letters.map(({ at }) => at)).toEqual([1_000, 601_000]);
  });

  it('does not stand in the way of all that follows when its words are refused: counts alone are told', async () => {
    const { clock, letters, lines, happens } = stage(({ brief, groups }) =>
      !brief && groups.some(({ newest }) => newest.some(({ message }) => message === 'poison')) ? refused : taken,
    );
    happens('poison');
    await clock.advance(10_000);
    happens('b');
    await clock.advance(10_000);
    expect(letters.map(({ text }) => text)).toMatchInlineSnapshot(`
      [
        "Magpie: refund
      • poison",
        "Magpie: refund
      … more than fits in here: magpie status shows the newest",
        "Magpie: refund
      • b",
      ]
    `);
    expect(lines).toEqual(['failing: no', 'well after 1']);
  });

  it('waits on where the channel breaks its promise and throws', async () => {
    let broken = true;
    const { clock, letters, lines, happens } = stage(() => {
      if (broken) throw new TypeError('a bug');
      return taken;
    });
    happens('a');
    await clock.advance(1_500);
    broken = false;
    await clock.advance(10_000);
    expect(letters.at(-1)?.text).toContain('• a');
    expect(lines).toEqual(['failing: a bug', 'well after 1']);
  });

  it('is told at the end where the channel takes letters, and not where it does not', async () => {
    let up = true;
    const { clock, letters, delivery, stop, happens } = stage(() => (up ? taken : away));
    await clock.advance(500);
    stop.abort();
    happens('bye');
    await delivery.last(new AbortController().signal);
    expect(letters).toHaveLength(1);
    up = false;
    happens('again');
    await delivery.last(new AbortController().signal);
    await delivery.last(new AbortController().signal);
    expect(letters).toHaveLength(2);
  });
});
