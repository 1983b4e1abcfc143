import type { Mutant } from './mutant.ts';

const buyer = 'src/execution/buyer.ts';
const outcomes = 'src/ledger/outcomes.ts';
const classify = 'src/gateway/classify-buy.ts';

const answered = 'const { outcome, times } = await answer.catch(brokenVenue);';
const again = (condition: string): string =>
  `let { outcome, times } = await answer.catch(brokenVenue);
      if (${condition}) ({ outcome, times } = await this.#options.venue.buy(order, () => undefined));`;

/** Faults of what leaves, and of what its answer is taken for. */
export const sending: readonly Mutant[] = [
  {
    name: 'sync-normal',
    breaks: 'intents are committed without being synced: a power cut loses them after their request has left',
    edits: [
      {
        file: 'src/ledger/open.ts',
        find: "openForWriting(path, 'FULL', BUSY_MS.daemon)",
        replace: "openForWriting(path, 'NORMAL', BUSY_MS.daemon)",
      },
    ],
  },
  {
    name: 'sync-unset',
    breaks: 'synchronous is neither set nor asserted: better-sqlite3 opens the ledger with NORMAL',
    edits: [
      {
        file: 'src/ledger/connection.ts',
        find: "    db.pragma(`synchronous = ${synchronous}`);\n    assertPragma(db, 'synchronous', SYNCHRONOUS[synchronous]);\n",
        replace: "    if (SYNCHRONOUS[synchronous] === 1) db.pragma('synchronous = NORMAL');\n",
      },
    ],
  },
  {
    name: 'retry-unknown',
    breaks: 'a buy whose answer was lost is sent again',
    edits: [{ file: buyer, find: answered, replace: again("outcome.kind === 'unknown'") }],
  },
  {
    name: 'retry-5xx',
    breaks: 'a buy that was answered with a 5xx is sent again',
    edits: [{ file: buyer, find: answered, replace: again("outcome.kind === 'unknown' && (outcome.status ?? 0) >= 500") }],
  },
  {
    name: 'broken-is-unsent',
    breaks: 'a connection that broke is taken for a request that never left',
    edits: [{ file: classify, find: 'if (!answer.sent) return', replace: 'if (!answer.sent || status === undefined) return' }],
  },
  {
    name: '5xx-is-refusal',
    breaks: 'a 5xx in JSON is taken for a refusal',
    edits: [
      {
        file: classify,
        find: '[400, 401, 403, 404, 409, 410, 422, 429]);',
        replace: '[400, 401, 403, 404, 409, 410, 422, 429, 500, 502, 503, 504]);',
      },
    ],
  },
  {
    name: 'doubt-is-refusal',
    breaks: 'a refusal whose words say that an order may exist is taken for a refusal',
    edits: [
      {
        file: classify,
        find: 'return mayHaveOrder(said.words) ?',
        replace: 'return mayHaveOrder(said.words) && body === undefined ?',
      },
    ],
  },
  {
    name: 'no-success-needed',
    breaks: 'an answer with an order id counts as bought whatever its success says; one without counts as refused',
    edits: [
      {
        file: classify,
        find: "return isOrderId(serviceOrderId) ? bought(heard, serviceOrderId, order, clean) : ambiguous(heard, 'it carries no order id');",
        replace: 'return isOrderId(serviceOrderId) ? bought(heard, serviceOrderId, order, clean) : refused(heard, undefined);',
      },
    ],
  },
  {
    name: 'refusal-trusted',
    breaks: 'the money of a refusal is given back at once, without a look',
    edits: [{ file: outcomes, find: '    held: true,\n', replace: '    held: false,\n' }],
  },
  {
    name: 'crash-forgotten',
    breaks: 'a row that a crash left intended is taken for not sent',
    edits: [
      {
        file: outcomes,
        find: "const change: Change = { state: 'unknown', wasUnknown: true, answeredAt: now, reason };",
        replace: "const change: Change = { state: 'expired', answeredAt: now, reason };",
      },
    ],
  },
  {
    name: 'fee-sent',
    breaks: 'the price with the fee is sent in the place of the base price',
    edits: [{ file: buyer, find: 'price: listing.price });', replace: 'price: listing.priceWithFee });' }],
  },
  {
    name: 'price-rounded',
    breaks: 'the price is computed anew (rounded to a cent above) in the place of the one received',
    edits: [{ file: buyer, find: 'price: listing.price });', replace: 'price: Math.ceil(listing.price * 100 + 1) / 100 });' }],
  },
  {
    name: 'sent-uncommitted',
    breaks: 'the request leaves before its row is committed',
    edits: [
      {
        file: buyer,
        find: '    const committed = this.#commit(intent);\n',
        replace:
          '    void this.#options.venue.buy(orderOf(intent), () => undefined);\n    const committed = this.#commit(intent);\n',
      },
    ],
  },
  {
    name: 'outcome-lost',
    breaks: 'an outcome that the journal did not take is dropped, and buying goes on',
    edits: [
      {
        file: buyer,
        find: 'if (written === undefined) return this.#later();',
        replace: 'if (written === undefined) return void this.#unwritten.shift();',
      },
    ],
  },
];
