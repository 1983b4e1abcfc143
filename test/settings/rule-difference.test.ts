import { describe, expect, it } from 'vitest';
import { type RuleDifference, differenceOf, someOf } from '../../src/settings/rule-difference.ts';
import { loadStrategies } from '../../src/settings/strategies.ts';
import { folderWith, settingsOf } from './written.ts';

const account = {
  mode: 'live',
  service: { sandbox: {} },
  limits: { maxPrice: 50, spend: { day: 500 }, perItem: { day: 2 }, never: ['Souvenir *'], reserve: 25 },
};
const redlines = { name: 'redlines', when: { name: 'AK-47 | Redline*' }, price: { max: 20 }, limits: { spend: { day: 50 } } };

type Files = Readonly<Record<string, unknown>>;

function rulesOf(config: Files, strategies: readonly Files[]) {
  const folder = folderWith(Object.fromEntries(strategies.map((each) => [`${String(each['name'])}.yaml`, JSON.stringify(each)])));
  const loaded = loadStrategies(folder, folder);
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.faults));
  const data = String(config['data'] ?? './data');
  return { settings: { ...settingsOf(JSON.stringify(config)), data }, strategies: loaded.strategies };
}

/** From the files above to others; hashes are left out of the words. */
function moved(config: Files, strategies: readonly Files[] = [redlines]): RuleDifference {
  const found = differenceOf(rulesOf(account, [redlines]), rulesOf(config, strategies));
  return { ...found, changed: found.changed.map((words) => words.replace(/ \([0-9a-f]{8} → [0-9a-f]{8}\)/, ' (hashes)')) };
}

const limited = (limits: Files): Files => ({ ...account, limits: { ...account.limits, ...limits } });

describe('rules that were read anew', () => {
  it('are no others while the files say the same', () => {
    expect(moved(account)).toEqual({ changed: [], raised: [], waiting: [] });
  });

  it.each([
    ['a price cap', { maxPrice: 60 }, 'limits.maxPrice: $50.00 → $60.00'],
    ['a spend cap', { spend: { day: 600 } }, 'limits.spend.day: $500.00 → $600.00'],
    ['a cap for one item that is taken away', { perItem: undefined }, 'limits.perItem.day: 2 → none'],
    ['a reserve that shrinks', { reserve: 20 }, 'limits.reserve: $25.00 → $20.00'],
    ['open purchases', { openPurchases: 300 }, 'limits.openPurchases: 200 → 300'],
    ['unknown ones', { unknown: 2 }, 'limits.unknown: 1 → 2'],
    ['a breaker', { breaker: { perHour: 2000 } }, 'limits.breaker.perHour: 1000 → 2000'],
    ['a name that may be bought again', { never: [] }, 'limits.never: "Souvenir *" may be bought from now on'],
  ])('raise %s', (_, limits, words) => {
    expect(moved(limited(limits))).toEqual({ changed: [words], raised: [words], waiting: [] });
  });

  it.each([
    ['a price cap', { maxPrice: 40 }, 'limits.maxPrice: $50.00 → $40.00'],
    ['a cap that is new', { spend: { hour: 30, day: 500 } }, 'limits.spend.hour: none → $30.00'],
    ['a reserve that grows', { reserve: 30 }, 'limits.reserve: $25.00 → $30.00'],
    ['one more name that is never bought', { never: ['Souvenir *', '*Case*'] }, 'limits.never: "*Case*" as well'],
  ])('lower %s, which raises nothing', (_, limits, words) => {
    expect(moved(limited(limits))).toEqual({ changed: [words], raised: [], waiting: [] });
  });

  it('tell of strategies that came, went or were written anew, with what that raises', () => {
    const cases = { name: 'cases', when: { name: '*Case*' }, price: { max: 1 } };
    expect(moved(account, [{ ...cases, mode: 'dry-run' }])).toEqual({
      changed: ['strategy cases is new, on paper', 'strategy redlines is no more'],
      raised: [],
      waiting: [],
    });
    const dearer = { ...redlines, limits: { spend: { day: 70 } } };
    expect(moved(account, [dearer, cases])).toEqual({
      changed: [
        'strategy cases is new',
        'strategy redlines was changed (hashes)',
        'strategy redlines: limits.spend.day: $50.00 → $70.00',
      ],
      raised: ['strategy cases is new', 'strategy redlines: limits.spend.day: $50.00 → $70.00'],
      waiting: [],
    });
  });

  it('tell of a strategy that goes from paper to live, and back', () => {
    const paper = rulesOf(account, [{ ...redlines, mode: 'dry-run' }]);
    const live = rulesOf(account, [redlines]);
    expect(differenceOf(paper, live).raised).toEqual(['strategy redlines: from paper to live']);
    expect(differenceOf(live, paper)).toMatchObject({
      raised: [],
      changed: [expect.anything(), 'strategy redlines: on paper from now on'],
    });
  });

  it('tell what is watched now and what no more, whoever asked for it, and what must wait for a start where nothing was', () => {
    const [asiimov, fade] = ['AWP | Asiimov (Field-Tested)', 'Glock-18 | Fade (Factory New)'];
    const asking = { name: 'rare', watch: true, when: { name: [asiimov, fade] }, price: { max: 20 } };
    const watching = (...items: string[]): Files => ({ ...account, watch: { items } });
    const words = (before: Parameters<typeof rulesOf>, after: Parameters<typeof rulesOf>): readonly string[] =>
      differenceOf(rulesOf(...before), rulesOf(...after)).changed.filter((each) => each.includes('watched'));
    expect(words([account, [redlines]], [account, [redlines, asking]])).toEqual([
      `"${asiimov}" is watched from the next start on`,
      `"${fade}" is watched from the next start on`,
    ]);
    expect(words([watching(), [redlines]], [watching(fade), [redlines, asking]])).toEqual([
      `"${fade}" is watched as well`,
      `"${asiimov}" is watched as well`,
    ]);
    expect(words([watching(fade), [redlines, asking]], [watching(fade), [redlines]])).toEqual([
      `"${asiimov}" is watched no more`,
    ]);
    expect(words([watching(fade), [redlines]], [account, [redlines]])).toEqual([`"${fade}" is watched no more`]);
  });

  it('leave what no running daemon takes to the next start', () => {
    expect(moved({ ...account, mode: 'dry-run', feed: { interval: '5s' }, data: './elsewhere' })).toEqual({
      changed: [],
      raised: [],
      waiting: ['mode', 'feed.interval', 'data'],
    });
  });

  it('tell that a secret is another one, not which, nor what it was', () => {
    const told = (secret: string): RuleDifference =>
      moved({ ...account, notify: { webhook: { url: 'https://example.com/told', secret } } });
    expect(told('shared-secret').waiting).toContain('a key, token or address that is secret');
    expect(JSON.stringify(told('shared-secret'))).not.toContain('shared-secret');
  });

  it('are told of in a few words however many they are', () => {
    expect(someOf(['a', 'b'])).toBe('a; b');
    expect(someOf(['a', 'b', 'c', 'd'], 2)).toBe('a; b; and 2 other changes');
  });
});
