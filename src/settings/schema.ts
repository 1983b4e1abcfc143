import type { z } from 'zod';
import { exchangeFaultNames, exchangeFaults } from '../domain/exchange-fault.ts';
import type { ExchangeFaultName } from '../domain/exchange-fault.ts';
import { accountsOf } from './accounts-schema.ts';
import { deadMan, metrics } from './monitoring-schema.ts';
import { notify } from './notify-schema.ts';
import { watch } from './watch-schema.ts';
import { reference } from './reference-schema.ts';
import { treasury } from './treasury-schema.ts';
import { sandboxWebhooks, webhooks } from './webhooks-schema.ts';
import {
  address,
  block,
  dollars,
  duration,
  durationOrAuto,
  key,
  number,
  oneOf,
  path,
  perWindow,
  size,
  text,
  textList,
  tradeUrl,
  whole,
  yesOrNo,
} from './shapes.ts';

/*
 * The configuration's one definition: the check, its messages, the JSON Schema for editors, `check --defaults` and the reference
 * page are all made from it.
 */

type FaultRate = z.ZodDefault<ReturnType<typeof number>>;

function faultShape(): Record<ExchangeFaultName, FaultRate> {
  const shape: Partial<Record<ExchangeFaultName, FaultRate>> = {};
  for (const name of exchangeFaultNames) {
    const fault = exchangeFaults[name];
    shape[name] = number({ min: 0, max: 1 }).default(fault.rate).describe(fault.doc);
  }
  return shape as Record<ExchangeFaultName, FaultRate>;
}

const sandbox = block({
  seed: whole(0, 2_147_483_647).default(7).describe('The same seed gives the same market.'),
  listings: whole(1, 20_000).default(500).describe('How many listings stand on the two markets at a time, about.'),
  balance: dollars().default(1000).describe('Play money on the account when its books are opened.'),
  speed: number({ above: 0, max: 100_000 }).default(1).describe('How many times faster than its usual pace the market moves.'),
  faults: block(faultShape())
    .prefault({})
    .describe('Faults to play, each with the share of its occasions that it strikes, from 0 to 1.'),
  webhooks: sandboxWebhooks.optional().describe('Where it posts the events of orders. Leave it out, and nowhere.'),
});

const service = block({
  baseUrl: address().optional().describe('Address of the service. `MAGPIE_BASE_URL` overrides it.'),
  sandbox: sandbox
    .optional()
    .describe('The embedded exchange, in this process, with play money; instead of `baseUrl`. It brings its own account.'),
});

const account = block({
  apiKey: key().optional().describe('Key of the account that buys. `MAGPIE_API_KEY` overrides it.'),
  partnerKey: key()
    .optional()
    .describe('A top-level key, to read market health with; without it `apiKey` is used. `MAGPIE_PARTNER_KEY` overrides it.'),
  dedicated: yesOrNo()
    .default(false)
    .describe('true: nobody else buys with this key, so an order that Magpie cannot explain halts buying.'),
  tradeUrl: tradeUrl().optional().describe('Where bought items are sent; needed in live mode. `MAGPIE_TRADE_URL` overrides it.'),
});

const feed = block({
  interval: duration('10ms', '1h').default('1s').describe('From the start of one poll of the listings to the start of the next.'),
  health: block({
    interval: duration('10ms', '1h')
      .default('5s')
      .describe('From the start of one question for market health to the start of the next.'),
    require: oneOf(['ok', 'degraded', 'off'])
      .default('ok')
      .describe('What a market must be for buying from it: ok, at least degraded, or off to buy without asking.'),
    staleAfter: duration('100ms', '24h')
      .default('15s')
      .describe('A health answer, or a market that the answer calls this stale, no longer counts.'),
  })
    .prefault({})
    .describe('Market health.'),
  parse: oneOf(['stream', 'slices', 'whole'])
    .default('stream')
    .describe(
      'How an answer of live listings is read: by what is new in it, and what is wanted bought while the rest still arrives (stream); by what is new in it, once it has arrived (slices); or whole each time.',
    ),
});

const rate = block({
  reads: block({
    perSecond: number({ above: 0, max: 1000 }).default(4).describe('Requests in a second, at most; 0.5 is one in two seconds.'),
    concurrent: whole(1, 64).default(2).describe('Requests under way at once, at most.'),
  })
    .prefault({})
    .describe('Everything but buying.'),
  buys: block({
    perSecond: number({ above: 0, max: 1000 }).default(2).describe('Purchases in a second, at most.'),
    concurrent: whole(1, 64).default(1).describe('Purchases under way at once, at most.'),
  })
    .prefault({})
    .describe('Buying.'),
  timeout: duration('100ms', '5m').default('10s').describe('For one request, from start to end of its answer.'),
});

const limits = block({
  maxPrice: dollars().optional().describe('Of one purchase, fee included. Needed in live mode.'),
  spend: perWindow(dollars, 'Spend, fees included,')
    .optional()
    .describe('Rolling windows, in US dollars. Live mode needs `day` or `total`.'),
  perItem: perWindow(() => whole(0), 'Purchases of one item')
    .optional()
    .describe('Purchases of one marketHashName, however it is written; orders of others that no list names count as each.'),
  never: textList('names, with * and ? for anything')
    .default([])
    .describe('Names that no strategy may buy; * and ? stand for anything, the whole name is compared, without case.'),
  reserve: dollars().default(0).describe('Balance that is never spent.'),
  openPurchases: whole(0)
    .default(200)
    .describe(
      'Purchases not yet completed, those in the trade hold included (about a week each), and orders of others on their way.',
    ),
  unknown: whole(1).default(1).describe('Purchases of unknown outcome at which buying pauses.'),
  breaker: block({
    refusalsInRow: whole(1).default(50).describe('Refusals in a row, other than gone, repriced or 429.'),
    perHour: whole(1).default(1000).describe('Purchases in an hour.'),
    unusual: number({ above: 1, max: 1_000_000 })
      .default(10)
      .describe("Matches or spend in an hour this many times the account's usual, after seven days of history."),
  })
    .prefault({})
    .describe('What halts buying by itself, until `magpie resume`.'),
});

const web = block({
  host: text('a host name or an IP address', /^[A-Za-z0-9.:_-]{1,253}$/)
    .default('127.0.0.1')
    .describe('Address to listen at.'),
  port: whole(0, 65_535).default(8787).describe('Port to listen at; 0 takes any free one.'),
  token: key()
    .optional()
    .describe(
      'What a browser must show. Without it one is made and kept in the data folder; needed when `host` is not this machine alone.',
    ),
});

const mode = oneOf(['dry-run', 'live'])
  .default('dry-run')
  .describe('dry-run watches and decides but cannot buy; live spends money.');
const strategies = path().default('./strategies').describe('A folder of *.yaml files, relative to this file.');

const rateOfAccount = rate.prefault({}).describe('Requests in any window of w seconds: at most perSecond × w + 1.');
const limitsOfAccount = limits.prefault({}).describe("The account's limits; each strategy has its own as well.");

const reconcile = block({
  interval: duration('1s', '1h')
    .default('30s')
    .describe('How often open purchases are compared with the service when nothing is urgent.'),
})
  .prefault({})
  .describe('Settling purchases by evidence.');

const alerts = block({
  lowBalance: dollars()
    .optional()
    .describe('A free balance below this raises an alert; left out, one below the reserve and a fifth of it.'),
  stuckAfter: duration('1m', '90d').default('24h').describe('An order that stays pending or active this long raises an alert.'),
})
  .prefault({})
  .describe('When a person is told.');

/** What a configuration file may hold. Durations and sizes stay text here; `resolve` gives them their meaning. */
export const configSchema = block({
  mode,
  service: service.optional().describe('What Magpie buys from: exactly one of `baseUrl` and `sandbox`.'),
  account: account.optional().describe('Needed in live mode, except with the sandbox.'),
  accounts: accountsOf({ mode, strategies, limits: limitsOfAccount, rate: rateOfAccount, reconcile, alerts })
    .optional()
    .describe(
      'Several accounts in one process, in place of one: each by its name, with a key of its own. What it leaves out is what the top says.',
    ),
  feed: feed.prefault({}).describe('How often the markets are looked at.'),
  rate: rateOfAccount,
  limits: limitsOfAccount,
  strategies,
  data: path()
    .default('./data')
    .describe('Folder of the state and the recordings, relative to this file. `MAGPIE_DATA` overrides it.'),
  web: web.optional().describe('The page. Leave it out, and nothing listens.'),
  watch: watch.optional().describe('Items that are looked at beside the live listings. Leave it out, and none is.'),
  log: block({
    format: oneOf(['human', 'json']).default('human').describe('Lines for people, or JSON for programs.'),
    level: oneOf(['debug', 'info', 'warn', 'error']).default('info').describe('The least that is written.'),
  })
    .prefault({})
    .describe('What the daemon writes to the terminal.'),
  recording: block({
    off: yesOrNo()
      .default(false)
      .describe(
        'true: what is seen is not kept, so `magpie why LISTING_ID` can hold no listing against the strategies, and there is nothing to replay.',
      ),
    maxAge: duration('1h', '3650d').default('30d').describe('Older recordings are removed.'),
    maxSize: size('1MB', '10TB').default('2GB').describe('When the recording grows larger, its oldest part is removed.'),
  })
    .prefault({})
    .describe('The recording of what was seen, in the data folder.'),
  reconcile,
  alerts,
  dryRun: block({
    settle: block({
      off: yesOrNo()
        .default(false)
        .describe('true: what would have been bought is not looked at again, and nobody says what live would have got of it.'),
      latency: durationOrAuto('0ms', '1m')
        .default('auto')
        .describe(
          'How long a buy takes from its decision to its answer. auto: as long as nine in ten live purchases of this data folder took at most, or 500ms where there are none.',
        ),
      margin: duration('0ms', '1m')
        .default('250ms')
        .describe('So much later than that it is looked whether a listing still stands.'),
      perMinute: whole(1, 600)
        .default(30)
        .describe(
          'Questions in any minute, at most, each for up to ten listings; they count in `rate.reads` and wait for polls.',
        ),
    })
      .prefault({})
      .describe('Looking again at what would have been bought.'),
  })
    .prefault({})
    .describe('Purchases on paper: all in dry-run, and those of strategies with `mode: dry-run`.'),
  notify: notify.optional().describe('Who is told of alerts, besides the log. Leave it out, and nobody is.'),
  metrics: metrics
    .optional()
    .describe('Metrics for Prometheus at `/metrics`, `/healthz` and `/readyz`. Leave it out, and nothing listens.'),
  webhooks: webhooks
    .optional()
    .describe(
      'Events that the service posts: each is a reason to look at the orders now, and no more. Leave it out, and nothing listens.',
    ),
  deadMan: deadMan
    .optional()
    .describe('An address of a service that tells a person when it is asked for no longer. Leave it out, and none is.'),
  reference: reference.prefault({}).describe('Our own record of prices, and what is not bought because of it.'),
  treasury: treasury
    .optional()
    .describe(
      'What `magpie treasury run` keeps the balances of children at. Leave it out, and there is none; the daemon never reads it.',
    ),
  reload: block({
    onSave: yesOrNo()
      .default(true)
      .describe(
        'Strategies and limits count a second or two after they were saved, whole or not at all. false: only when the process gets SIGHUP.',
      ),
  })
    .prefault({})
    .describe('What is changed while Magpie runs.'),
  decisions: block({
    keep: duration('1h', '3650d').default('30d').describe('Older decisions are removed; purchases never are.'),
  })
    .prefault({})
    .describe('The record of what was decided and why.'),
  backup: block({
    off: yesOrNo()
      .default(false)
      .describe('true: Magpie makes no backups by itself; `magpie backup` makes one whenever you like.'),
    every: duration('1h', '365d')
      .default('24h')
      .describe('From one backup of the ledger to the next, in the folder `backups` of the data folder, also across restarts.'),
    keep: whole(1, 10_000)
      .default(7)
      .describe('So many of them are kept; older ones are removed once a new one is whole. Those that you make stay.'),
  })
    .prefault({})
    .describe('Backups of the ledger that the daemon makes.'),
  disk: block({
    minFree: size('0MB', '10TB')
      .default('200MB')
      .describe('Less free space than this on the disk of the data folder raises an alert, and no backup is made then.'),
  })
    .prefault({})
    .describe('The disk that the data folder is on.'),
});

export type Config = z.output<typeof configSchema>;
