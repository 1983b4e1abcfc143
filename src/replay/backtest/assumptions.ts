import { formatMs } from '../../domain/latency.ts';
import { type Micros, formatDollars } from '../../domain/money.ts';
import { counted } from '../../domain/text.ts';
import { latencyAt } from './latency-model.ts';
import type { MarketHistory } from './market-history.ts';
import type { Models, OwnRate } from './models.ts';
import { STEAM_CEILING, type ValueTerms } from './value.ts';

/** One thing that the figures rest on. */
export interface Assumption {
  readonly about: string;
  readonly text: string;
}

interface Grounds {
  readonly history: MarketHistory;
  readonly models: Models;
  readonly terms: ValueTerms;
  readonly balance: { readonly amount: Micros; readonly given: boolean } | undefined;
  readonly healthHeard: boolean;
}

const percent = (share: number): string => `${(share * 100).toFixed(1).replace(/\.0$/, '')} %`;
const days = (ms: number): string => `${(ms / 86_400_000).toFixed(1).replace(/\.0$/, '')} days`;
const shareOf = ({ numerator, denominator }: ValueTerms['fee']): number => Number(numerator) / Number(denominator);

/** Everything that is assumed, in sentences. */
export function assumptionsOf(grounds: Grounds): readonly Assumption[] {
  const { models, terms, history } = grounds;
  return [
    { about: 'latency', text: latencyWords(models) },
    { about: 'rivals', text: `${rivalWords(models)} ${correctionWords(models)}` },
    {
      about: 'gone',
      text: 'Gone is not sold: a listing that is not shown any more may have been bought by somebody or taken back by its seller. Either way a buy that came later would have been lost.',
    },
    {
      about: 'three figures',
      text: 'Pessimistic: only what a complete look after the answer still showed at the same price. Expected: as likely as the model of rivals says, the mean of runs that draw anew. Optimistic: everything that was admitted and that no purchase of our own is known to have lost.',
    },
    { about: 'failures and refunds', text: ownWords(models) },
    { about: 'balance', text: balanceWords(grounds) },
    { about: 'health', text: healthWords(grounds) },
    { about: 'reference prices', text: referenceWords(history) },
    {
      about: 'worth on Steam',
      text: `The steamPrice at the time of the purchase less Steam's exact fee. That is wallet credit, not cash, and nothing sells there above ${formatDollars(STEAM_CEILING)}: what is dearer is not valued.`,
    },
    {
      about: 'worth by resale',
      text: `${percent(shareOf(terms.resale))} of that steamPrice, in cash: a rate that you give, not one that was measured.`,
    },
    {
      about: 'worth by relisting',
      text: `The lowest recorded listing of the same name ${days(terms.holdMs)} after the purchase (the trade hold) or the first one after that, less ${percent(shareOf(terms.fee))}. A recording that ends before then values nothing so, and a sale at that price is not certain.`,
    },
    {
      about: 'halts',
      text: 'Breakers halt a replay as they halt the daemon, and nobody resumes it. Halts of the recorded days, and what kept buying closed then, are not repeated.',
    },
    ...(history.unreadable === 0
      ? []
      : [
          {
            about: 'unreadable',
            text: `${history.unreadable} recorded entries cannot be judged by this version of Magpie and were passed over.`,
          },
        ]),
  ];
}

function latencyWords({ latency }: Models): string {
  const typical = `${formatMs(latencyAt(latency))} ms`;
  if (latency.source === 'given') return `A buy is taken to last ${typical} from its decision to its answer, as given.`;
  if (latency.source === 'assumed') {
    return `Too few of our own buys were recorded to measure how long one lasts: ${typical} from the decision to the answer is a guess. \`--latency\` gives another.`;
  }
  const slow = formatMs(latencyAt(latency, 0.9));
  return `How long a buy lasts is drawn from ${latency.sorted.length} of our own: ${typical} in the middle, ${slow} ms for nine in ten (the pessimistic figure takes that).`;
}

function rivalWords({ rivals }: Models): string {
  if (rivals.source === 'assumed') {
    return `Only ${rivals.went} of ${rivals.offers} offers went in this time, too few to say how fast they go: half of those below 60 % of steamPrice are taken to be gone after 10 s, of the others after 5 min.`;
  }
  return `How fast offers go is fitted, by their discount and age, on ${rivals.offers} offers whose beginning was seen; ${rivals.went} of them went or changed their price. Polls do not show when between two of them an offer went, nor those that came and went between two.`;
}

function correctionWords({ correction: { factor, deviation, of } }: Models): string {
  const off = `give or take a factor of ${Math.exp(deviation).toFixed(2)}`;
  if (of === 0)
    return `There are no live buys of our own in this time to hold that against: it is taken as it is, ${off}, which is a guess.`;
  const own = of === 1 ? 'the one live buy of our own' : `${of} live buys of our own`;
  return `Held against ${own} in this time, won or lost, they go ${factor.toFixed(2)} times as fast, ${off}.`;
}

function ownWords({ failures, refunds }: Models): string {
  const words = (what: string, { share, of }: OwnRate, meant: string): string =>
    of === undefined
      ? `${what}: too few of our own purchases were recorded to say, so none is assumed.`
      : `${what}: ${percent(share)} of ${of} of our own ${meant}.`;
  return `${words('Refused though nobody was faster', failures, 'buys')} ${words('Money that comes back', refunds, 'purchases that were followed to their end')}`;
}

function balanceWords({ balance }: Grounds): string {
  if (balance === undefined)
    return 'No balance was recorded and none was given: the reserve and an empty account keep nothing from being bought.';
  const source = balance.given ? 'as given' : 'the first that was recorded';
  return `It begins with ${formatDollars(balance.amount)} (${source}); money comes back from refunds alone, deposits and sales are not replayed.`;
}

function healthWords({ healthHeard }: Grounds): string {
  return healthHeard
    ? 'Markets are bought from as their recorded health allowed.'
    : 'No health was recorded: all markets are taken for healthy.';
}

function referenceWords({ heard, recordsKnown }: MarketHistory): string {
  const tellings = heard.filter(({ of }) => of === 'references').length - (recordsKnown > 0 ? 1 : 0);
  if (recordsKnown === 0 && tellings === 0)
    return "No record of past days' prices was told in this time: conditions on `reference` find nothing, and no steamPrice is held against what it used to be.";
  const before =
    recordsKnown === 0 ? 'none when it begins' : `${counted(recordsKnown, 'name')} when it begins, from what was recorded before`;
  return `Records of past days' prices are those that the daemon had been told by then: ${before}; told anew ${counted(tellings, 'time')} since. What was told before the recording begins, or was trimmed, is not known.`;
}
