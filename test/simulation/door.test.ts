import { describe, expect, it } from 'vitest';
import { Door } from './door.ts';

function fedBy(door: Door): readonly string[] {
  const carried = { sentAt: undefined } as never;
  const { told } = door.post({ boot: 1, at: 0, market: 'c5game', listingId: '1', price: 1, carried });
  return told.feeds.map(({ text }) => text);
}

describe('what the bot has heard of the live listings', () => {
  it('is its last six answers, one that came in parts and came to nothing being one', () => {
    const door = new Door();
    for (const text of ['a', 'b', 'c', 'd']) door.heardFeed({ at: 0, text });
    for (const text of ['{"data":', '{"data":null', '{"data":[]']) {
      door.heardPart({ at: 0, text: text.slice(0, 3) });
      door.endOfPart(true);
      door.heardFeed({ at: 0, text });
    }
    expect(fedBy(door)).toEqual(['b', 'c', 'd', '{"data":', '{"data":null', '{"data":[]']);
  });

  it('shows what the parts of an answer did that cannot be read as a whole', () => {
    const door = new Door();
    door.heardPart({ at: 0, text: '{"data":{"listings":[{"id":1}' });
    door.endOfPart(true);
    door.heardFeed({ at: 0, text: '{"data":{"listings":[{"id":1},{"i' });
    const carried = { sentAt: undefined } as never;
    const { told } = door.post({ boot: 1, at: 0, market: 'c5game', listingId: '1', price: 1, carried });
    expect(told.feeds).toEqual([{ at: 0, text: '{"data":{"listings":[{"id":1},{"i', part: true }]);
  });

  it('holds one that is still arriving, and one that broke off, as far as they came', () => {
    const door = new Door();
    door.heardPart({ at: 0, text: 'broken' });
    door.endOfPart(true);
    door.heardPart({ at: 0, text: 'arriving' });
    expect(fedBy(door)).toEqual(['broken', 'arriving']);
  });

  it('holds no answer again that was heard whole, as long as the process lives', () => {
    const door = new Door();
    const [text, other] = ['{"requestId":"a","success":true,"data":1}', '{"requestId":"b","success":true,"data":1}'];
    door.heardFeed({ at: 0, text });
    door.heardFeed({ at: 1, text: other });
    door.heardPart({ at: 2, text: text.slice(0, 30) });
    door.heardFeed({ at: 3, text });
    expect(fedBy(door)).toEqual([text, other]);
    door.reboot();
    door.heardFeed({ at: 4, text });
    expect(fedBy(door)).toEqual([text]);
  });

  it('holds an answer that came whole only when it was given again', () => {
    const door = new Door();
    const text = '{"requestId":"a","success":true,"data":1}';
    door.heardPart({ at: 0, text: text.slice(0, 30) });
    door.endOfPart(true);
    door.heardFeed({ at: 1, text: text.replace(':true', '#true') });
    door.heardFeed({ at: 2, text });
    expect(fedBy(door)).toEqual([text.slice(0, 30), text.replace(':true', '#true'), text]);
  });
});
