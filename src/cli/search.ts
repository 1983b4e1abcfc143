import { type Command, Option } from 'commander';
import { formatDollars, microsFromDollars } from '../domain/money.ts';
import { foldCase, printable } from '../domain/text.ts';
import { type Wider, shown, wholeNumber } from './account-pages.ts';
import { type AddCommand, type SharedOptions, examples } from './command.ts';
import { CommandFailure, type ExitCode, exits } from './exit.ts';
import type { Io } from './io.ts';
import { type Sheet, type SheetOptions, rowsIn } from './sheet.ts';

interface SearchOptions extends SharedOptions, SheetOptions {
  readonly minPrice?: string;
  readonly maxPrice?: string;
  readonly sort?: string;
  readonly limit?: number;
}

const SHOWN = 20;

/** The service's own number of results, when it is asked for no other. */
const WIDE = 100;

type Data = Readonly<Record<string, unknown>>;

export const addSearch: AddCommand = (program, { io, run }) => {
  program
    .command('search')
    .summary('find items: prices, how many are on sale, and a line for a strategy')
    .description(
      "Searches the market by words of an item's name: the lowest price with fee, the price on Steam, how many are on sale, and lines to copy into a strategy.",
    )
    .argument('<WORDS...>', "words of the item's name")
    .option('--min-price <DOLLARS>', 'from this price on, fee included')
    .option('--max-price <DOLLARS>', 'up to this price, fee included')
    .addOption(
      new Option('--sort <ORDER>', "another order than the service's own").choices([
        'abc',
        'priceAsc',
        'popularity',
        'priceDesc',
      ]),
    )
    .option('--limit <N>', `how many at most (default: ${SHOWN})`, wholeNumber)
    .option('--json', "print one JSON document: the service's answer and its requestId")
    .option('--csv', 'comma-separated values, safe in spreadsheets')
    .addHelpText(
      'after',
      examples('magpie search ak-47 redline --config live.yaml', 'magpie search karambit --max-price 500 --sort priceAsc'),
    )
    .action((words: string[], _: unknown, command: Command) =>
      run(() => search(io, words, command.optsWithGlobals<SearchOptions>())),
    );
};

function search(io: Io, words: readonly string[], options: SearchOptions): Promise<ExitCode> {
  const query = {
    q: words.join(' '),
    minPrice: dollars('--min-price', options.minPrice),
    maxPrice: dollars('--max-price', options.maxPrice),
    sort: options.sort,
    start: 1,
    end: options.limit ?? SHOWN,
  };
  return shown(io, options, 'search', query, sheetOf, (data) => widened(words, query, data));
}

/** Of what the service found, the names that hold every word, in any order. */
function holdingAll(words: readonly string[], items: unknown): Sheet['rows'] {
  const folded = words.map(foldCase);
  return rowsIn(items).filter(
    ({ marketHashName: name }) => typeof name === 'string' && folded.every((word) => foldCase(name).includes(word)),
  );
}

/** Where nothing holds the words as they stand together, what holds them all apart: asked by the longest of them. */
function widened(words: readonly string[], query: Readonly<Record<string, unknown>>, data: Data): Wider | undefined {
  if (words.length < 2 || rowsIn(data['items']).length > 0) return undefined;
  const [longest] = words.toSorted((one, other) => other.length - one.length);
  const wanted = typeof query['end'] === 'number' ? query['end'] : SHOWN;
  return {
    query: { ...query, q: longest, end: WIDE },
    narrow: (found) => {
      const items = holdingAll(words, found['items']);
      return { ...found, items: items.slice(0, wanted), itemsCount: items.length };
    },
  };
}

function sheetOf(data: Data): Sheet {
  const rows = rowsIn(data['items']);
  const total = data['itemsCount'];
  const counted = typeof total === 'number' && total > rows.length ? [`${rows.length} of ${total}; --limit N shows more`] : [];
  return { columns, rows, none: 'Nothing on sale is called so.', after: [...counted, ...strategyLines(rows)] };
}

function dollars(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,9}(?:\.\d{1,6})?$/.test(text)) return Number(text);
  throw new CommandFailure(exits.wrong, `${option} ${printable(text, 40)}: an amount in dollars is needed, such as 12.50.`);
}

const columns: Sheet['columns'] = [
  { field: 'marketHashName', title: 'item', grows: true },
  { field: 'price', title: 'from', as: 'dollars' },
  { field: 'steamPrice', title: 'Steam', as: 'dollars' },
  { field: 'sellingTotal', title: 'on sale' },
  { field: 'rarity' },
  { field: 'id' },
];

/** Of how many items a strategy is suggested for. */
const SUGGESTED = 5;

/** What a strategy would say to buy the items at today's lowest price; a name that is no plain text is not suggested. */
function strategyLines(rows: Sheet['rows']): string[] {
  const lines = rows.slice(0, SUGGESTED).flatMap(({ marketHashName: name, price }) => {
    if (typeof name !== 'string' || typeof price !== 'number' || printable(name, 300) !== name || /[*?]/.test(name)) return [];
    const exact = microsFromDollars(price, 'up');
    return exact === undefined
      ? []
      : [`  when: { name: ${JSON.stringify(name)} }`, `  price: { max: ${formatDollars(exact).replace('$', '')} }`];
  });
  return lines.length === 0 ? [] : ['', 'To copy into a strategy of its own, at the lowest price of now:', ...lines];
}
