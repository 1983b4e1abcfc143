import { type Random, chance, pick, seededRandom, wholeBetween } from '../../../src/domain/random.ts';
import { type BotPlan, drawRules } from '../bot-plan.ts';
import { type Range, networkMenu, safetyFaults } from '../fault-menu.ts';
import type { NetworkFaultName } from '../network.ts';
import { type PersonAct, logBetween, pointPrefixes } from '../plan.ts';
import {
  type AccountsPlan,
  type Aimed,
  type ProcessEnd,
  accountsPlanOf,
  drawRates,
  harder,
  networkOf,
  readerFaults,
  wanting,
} from './plan.ts';

const MINUTE = 60_000;

/** What the exchange does to an answer as a whole: the reader learns of a listing or it does not, whatever else stands. */
const wholeAnswers = [
  'readLost',
  'readLate',
  'readError',
  'readHtml',
  'readOddShape',
  'tooMany',
  'feedFrozen',
  'healthLying',
] as const;

/** What it does by what stands in an answer, and a ban of the machine: one account's purchases would tell on all others. */
const byContent = ['readCut', 'feedPriceSlip', 'feedDuplicates', 'feedBadRows', 'feedShort', 'forbidden'] as const;

const ofWholeAnswers: readonly NetworkFaultName[] = [...readerFaults, 'connectStalls', 'answerKept'];

/**
 * Draws a life of `count` accounts as it is drawn without, and what befalls all of them together besides: faults of the reader that they
 * share, ends of the process, rules that are saved anew.
 */
export function togetherPlanOf(seed: number, count: number, length: 'long' | 'short' = 'long'): AccountsPlan {
  const plan = accountsPlanOf(seed, count, length);
  const { wishes, target, minutes, pace, accounts } = plan;
  const stream = (name: string): Random => seededRandom(seed, `accounts/together/${name}`);
  const apart = wishes === 'disjoint';
  const faults = menuOf(apart ? wholeAnswers : [...wholeAnswers, ...byContent]);
  const network = apart ? ofWholeAnswers.map((name) => [name, networkMenu[name]] as const) : networkOf();
  const saves = (place: number, bot: BotPlan): PersonAct[] => {
    const random = stream(`${place}/rules`);
    if (!chance(random, 0.4)) return [];
    return Array.from({ length: wholeBetween(random, 1, 2) }, () => ({
      at: Math.round(random.next() * minutes * MINUTE),
      do: 'reload' as const,
      rules: wanting(drawRules(random, bot), wishes, place === target),
    }));
  };
  // Beside the reader's freezes and bans at the pace of its polls.
  const faultTimes = { late: [500, 20_000], lag: [1_000, 20_000], spell: [3_000, 12_000 * pace] } as const;
  return {
    ...plan,
    accounts: accounts.map(({ name, plan: own }, place) => ({
      name,
      // The one that is aimed at has its own, in the lives in which it is struck.
      plan: { ...own, faultTimes, acts: place === target ? [] : saves(place, own.bot) },
    })),
    readerNetwork: { ...plan.readerNetwork, rates: drawRates(stream('reader'), harder(network)) },
    aims: plan.aims.map((aimed, at) => withSaves(apart ? withoutDisk(aimed) : aimed, at, plan, stream)),
    together: { faults: drawRates(stream('faults'), harder(faults)), ends: drawEnds(stream('ends'), plan) },
  };
}

function menuOf(names: readonly (keyof typeof safetyFaults)[]): readonly (readonly [string, Range])[] {
  return names.map((name) => [name, safetyFaults[name] ?? [0, 0]] as const);
}

/**
 * While one account's ledger cannot be read after a start, the others leave alone whatever stands, rightly: where they are held against a
 * life without the fault, it can be read.
 */
function withoutDisk(aimed: Aimed): Aimed {
  return { ...aimed, disk: [] };
}

function withSaves(aimed: Aimed, at: number, plan: AccountsPlan, stream: (name: string) => Random): Aimed {
  const { wishes, minutes, target, accounts } = plan;
  const bot = accounts[target]?.plan.bot;
  const random = stream(`aim ${at}/rules`);
  if (bot === undefined || !chance(random, 0.5)) return aimed;
  // As what is aimed has it: no reserve.
  const rules = drawRules(random, { ...bot, limits: { ...bot.limits, reserve: 0 } });
  const act: PersonAct = { at: Math.round(random.next() * minutes * MINUTE), do: 'reload', rules: wanting(rules, wishes, true) };
  return { ...aimed, acts: [...aimed.acts, act] };
}

/** Where lives are held against each other it strikes at no point of the one that is aimed at: that reaches others in each of them. */
function drawEnds(random: Random, { wishes, minutes, pace, target, accounts }: AccountsPlan): ProcessEnd[] {
  const places = accounts.map((_, place) => place).filter((place) => wishes === 'contested' || place !== target);
  const ends = Array.from({ length: wholeBetween(random, 1, 4) }, (): ProcessEnd => {
    const kind = pick(random, ['crash', 'crash', 'power', 'stop'] as const);
    const atPoint = kind !== 'stop' && chance(random, 0.6);
    return {
      kind,
      at: Math.round((0.05 + 0.8 * random.next()) * minutes * MINUTE),
      point: atPoint ? { prefix: pick(random, pointPrefixes), nth: wholeBetween(random, 1, 3) } : undefined,
      downMs: Math.round(logBetween(random, [500, 20_000]) * pace),
      place: pick(random, places),
    };
  });
  return ends.sort((a, b) => a.at - b.at);
}
