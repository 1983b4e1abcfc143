/** A statement of the document, by the name or number that it has there. */
export interface DocumentRule {
  readonly rule: string;
  /** Why nothing can be tried. */
  readonly untried?: string;
}

const numbered = (section: string, last: number, untried: Readonly<Record<number, string>> = {}): readonly DocumentRule[] =>
  Array.from({ length: last }, (_, at) => {
    const why = untried[at + 1];
    return { rule: `${section} ${at + 1}`, ...(why === undefined ? {} : { untried: why }) };
  });

const named = (...rules: readonly string[]): readonly DocumentRule[] => rules.map((rule) => ({ rule }));

const notShown = 'the document does not show it';

/** Every statement of the document beside its endpoints: sections by number, tables by row, resources and states by name. */
export const documentRules: readonly DocumentRule[] = [
  ...numbered('Authentication', 8, { 7: notShown, 8: notShown }),
  ...numbered('Errors', 6, { 5: notShown, 6: notShown }),
  ...numbered('Limits', 9),
  { rule: 'rate limits', untried: notShown },
  { rule: 'largest pages', untried: notShown },
  ...numbered('Versioning', 5, {
    2: 'it says what is preferred, not what is answered',
    3: 'it says what there is not',
    5: notShown,
  }),
  ...named('ListingItemV2', 'Search result item', 'Suggestion item', 'Buy order result', 'Child key', 'Transfer result'),
  ...named('Partner stats', 'Market health', 'Profile', 'Fees', 'Transaction row', 'Order row', 'Ledger page'),
  ...named('Batch detail error item', 'Order status code', 'Child key status', 'Buy order result status', 'Transaction type'),
  { rule: 'LedgerItem', untried: notShown },
  { rule: 'Wallet record', untried: notShown },
  { rule: 'Events', untried: 'the service sends them, and how they are registered is not shown' },
];
