// A small bot on the client library alone, as a start for one of your own: it looks at the live listings, buys what costs little beside its price on
// Steam, and ends after some rounds. docs/client.md tells what the calls do.
import { appendFileSync, closeSync, existsSync, fsyncSync, openSync, readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { CallError, createClient } from 'magpie/client';

const {
  MAGPIE_BASE_URL: baseUrl = 'http://127.0.0.1:4010',
  MAGPIE_API_KEY: apiKey = '',
  MAGPIE_TRADE_URL: tradeUrl,
} = process.env;
const JOURNAL = 'bot.jsonl';
const BUDGET = 40; // dollars, fees included, over all runs that share the journal
const OF_STEAM = 0.6; // at most this much of the price on Steam
const PAUSE_MS = 1_000;
const rounds = Number(process.argv[2] ?? 5);

const client = createClient({ baseUrl, apiKey });
const { tried, spent: before } = remembered();
let spent = before;

for (let round = 0; round < rounds; round++) {
  if (round > 0) await wait(PAUSE_MS);
  try {
    const { data } = await client.liveListings();
    const wanted = data.listings
      .filter(({ id, priceWithFee, steamPrice }) => !tried.has(id) && priceWithFee <= (steamPrice ?? 0) * OF_STEAM)
      .toSorted((a, b) => a.priceWithFee / (a.steamPrice ?? 1) - b.priceWithFee / (b.steamPrice ?? 1));
    for (const listing of wanted) if (spent + listing.priceWithFee <= BUDGET) await buy(listing);
  } catch (error) {
    // The client throws CallErrors alone, and a look that failed is made again; what else is thrown is a mistake of this program.
    if (!(error instanceof CallError)) throw error;
    say(`round ${round + 1}: ${error.kind}: ${error.message}`);
    await wait(error.retryAfterMs ?? 0);
  }
}
const { data } = await client.orders();
say(`${data.total} orders; at most $${spent.toFixed(2)} of $${BUDGET} spent`);
await client.close();

/**
 * One call, and none after it whatever becomes of it: the listing is in the journal first.
 * @param {import('magpie/client').AnswerOf<'liveListings'>['listings'][number]} listing
 */
async function buy({ id, market, marketHashName, price, priceWithFee }) {
  if (market !== 'c5game' && market !== 'ecosteam') return;
  note({ id, priceWithFee, state: 'sent' });
  spent += priceWithFee;
  try {
    const { order } = (await client.buy({ body: { itemId: id, price, market, tradeUrl } })).data;
    note({ id, state: 'bought', serviceOrderId: order.serviceOrderId });
    say(`bought ${marketHashName} for $${priceWithFee}`);
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    const isCertain = error.kind === 'refused' || error.kind === 'request' || !error.sent;
    // Of anything else nobody knows: its money stays counted, and a person looks at the orders.
    if (isCertain) spent -= priceWithFee;
    note({ id, state: isCertain ? 'refused' : 'unknown', why: error.message });
    say(`${isCertain ? 'not bought' : 'UNKNOWN, look at your orders'}: ${marketHashName}: ${error.message}`);
  }
}

/** @typedef {{ id: string, state: string, priceWithFee?: number, serviceOrderId?: string | null, why?: string }} Line */

/**
 * On disk before it returns.
 * @param {Line} line
 */
function note(line) {
  const file = openSync(JOURNAL, 'a', 0o600);
  appendFileSync(file, `${JSON.stringify(line)}\n`);
  fsyncSync(file);
  closeSync(file);
}

/** What earlier runs have sent, and what it may have cost: all that was not refused. */
function remembered() {
  /** @type {Map<string, number>} */
  const tried = new Map();
  const lines = existsSync(JOURNAL) ? readFileSync(JOURNAL, 'utf8').trim().split('\n').filter(Boolean) : [];
  for (const line of lines) {
    const { id, state, priceWithFee = 0 } = /** @type {Line} */ (JSON.parse(line));
    if (state === 'sent') tried.set(id, priceWithFee);
    if (state === 'refused') tried.set(id, 0);
  }
  return { tried, spent: [...tried.values()].reduce((sum, cost) => sum + cost, 0) };
}

/** @param {string} text */
function say(text) {
  process.stdout.write(`${text}\n`);
}
