import { block, number, textList, whole } from './shapes.ts';

/** Items beyond what the live listings show. */
export const watch = block({
  items: textList('names of items, or their ids of 16 characters')
    .default([])
    .describe(
      'Items whose own listings are read in turn, as the live listings are, by their whole marketHashName (found by search) or their item id; followed while Magpie runs.',
    ),
  share: number({ above: 0, max: 0.5 })
    .default(0.25)
    .describe('Of `rate.reads.perSecond`, so much may go to them; polls and looks at the orders go first.'),
  pages: whole(1, 1_000)
    .default(20)
    .describe(
      'Pages of one item that a look reads at most; it ends before, where what follows is too expensive for every strategy.',
    ),
});
