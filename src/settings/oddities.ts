import { idleWindows, tightestWindow, windows } from '../domain/limits.ts';
import type { Path } from './file-fault.ts';
import type { Finding } from './finding.ts';
import { warning } from './finding.ts';
import { isLoopback } from './loopback.ts';
import type { Config } from './schema.ts';
import { durationMs } from './units.ts';

/** The host of trade URLs in this trade; another one may be a mirror, or somebody who wants the items. */
const USUAL_TRADE_HOSTS: ReadonlySet<string> = new Set(['steamcommunity.com', 'www.steamcommunity.com']);
/** The usual host's tokens have this many characters. */
const TRADE_TOKEN_LENGTH = 8;
const WEB_TOKEN_LENGTH_MIN = 16;

/** What is legal, but hardly what a person meant. */
export function oddities(config: Config): Finding[] {
  return [
    ...addressOddities(config),
    ...accountOddities(config),
    ...zeroLimits(config),
    ...windowOddities('spend', config.limits.spend),
    ...windowOddities('perItem', config.limits.perItem),
    ...priceOddities(config),
    ...neverOddities(config),
    ...paceOddities(config),
    ...metricsOddities(config),
    ...referenceOddities(config),
  ];
}

/** A guard that asks for more days than are kept is off. */
function referenceOddities({ reference: { minSamples, days } }: Config): Finding[] {
  if (minSamples <= days) return [];
  const message = `is ${minSamples}, but only ${days} days are kept: nothing is ever held against a steamPrice`;
  return [warning(['reference', 'minSamples'], message, `write ${days} or less, or more for reference.days`)];
}

function addressOddities({ service, web }: Config): Finding[] {
  const found: Finding[] = [];
  if (service?.baseUrl !== undefined) {
    const url = new URL(service.baseUrl);
    if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
      found.push(warning(['service', 'baseUrl'], 'is plain http: everybody on the way can read the key', 'write https://'));
    }
  }
  if (web?.token !== undefined && web.token.length < WEB_TOKEN_LENGTH_MIN && !isLoopback(web.host)) {
    found.push(
      warning(
        ['web', 'token'],
        `is shorter than ${WEB_TOKEN_LENGTH_MIN} characters, and others can reach ${web.host}`,
        'make it longer',
      ),
    );
  }
  return found;
}

function metricsOddities({ metrics, treasury, web }: Config): Finding[] {
  const own = treasury?.metrics;
  return [
    ...(metrics === undefined ? [] : listeningOddities(['metrics'], metrics, 'balance and purchases')),
    ...(own === undefined ? [] : listeningOddities(['treasury', 'metrics'], own, 'balances of all merchants')),
    ...samePorts([
      [['web', 'port'], web?.port],
      [['metrics', 'port'], metrics?.port],
      [['treasury', 'metrics', 'port'], own?.port],
    ]),
  ];
}

function listeningOddities(block: Path, { host }: { readonly host: string }, tells: string): Finding[] {
  if (isLoopback(host)) return [];
  const message = `others can reach ${host}, and whoever does reads ${tells}: metrics have no password`;
  return [warning([...block, 'host'], message, 'let only the machine of Prometheus through, or write `host: 127.0.0.1`')];
}

/** One program listens at a port. */
function samePorts(ports: readonly (readonly [Path, number | undefined])[]): Finding[] {
  return ports.flatMap(([path, port], place) => {
    const before = port === undefined || port === 0 ? undefined : ports.slice(0, place).find(([, other]) => other === port);
    if (before === undefined) return [];
    return [warning(path, `is ${port}, as ${before[0].join('.')} is`, 'give each a port of its own')];
  });
}

function accountOddities({ mode, service, account, accounts, treasury }: Config): Finding[] {
  const found: Finding[] = [];
  const isAlone = accounts === undefined && treasury === undefined;
  if (service?.baseUrl !== undefined && mode === 'dry-run' && account?.apiKey === undefined && isAlone) {
    found.push(
      warning(['account', 'apiKey'], 'is missing: the service shows listings to nobody without a key', 'set MAGPIE_API_KEY'),
    );
  }
  if (account?.tradeUrl === undefined) return found;
  const url = new URL(account.tradeUrl);
  if (!USUAL_TRADE_HOSTS.has(url.hostname)) {
    found.push(
      warning(
        ['account', 'tradeUrl'],
        'is on an unusual host: items go to whoever owns that trade URL',
        'usual is steamcommunity.com',
      ),
    );
  } else if ((url.searchParams.get('token') ?? '').length !== TRADE_TOKEN_LENGTH) {
    found.push(
      warning(['account', 'tradeUrl'], `has a token that is not ${TRADE_TOKEN_LENGTH} characters long; it may have been cut`),
    );
  }
  return found;
}

function zeroLimits({ limits }: Config): Finding[] {
  const zero = (path: Path, value: number | undefined): Finding[] =>
    value === 0 ? [warning(path, 'is 0, so nothing is ever bought', 'use `magpie halt` to stop buying for a while')] : [];
  return [
    ...zero(['limits', 'maxPrice'], limits.maxPrice),
    ...zero(['limits', 'openPurchases'], limits.openPurchases),
    ...windows.flatMap((window) => zero(['limits', 'spend', window], limits.spend?.[window])),
    ...windows.flatMap((window) => zero(['limits', 'perItem', window], limits.perItem?.[window])),
  ];
}

function windowOddities(key: 'spend' | 'perItem', bounds: Config['limits']['spend']): Finding[] {
  return idleWindows(bounds).map(({ window, words }) => warning(['limits', key, window], words));
}

function priceOddities({ limits: { maxPrice, spend } }: Config): Finding[] {
  const least = tightestWindow(spend);
  if (maxPrice === undefined || !least || least.bound === 0 || least.bound >= maxPrice) return [];
  return [
    warning(['limits', 'maxPrice'], `is ${maxPrice}, but spend.${least.window} lets nothing cost more than ${least.bound}`),
  ];
}

/** Item names have blanks; a single word without * is a part of a name, and globs compare the whole. */
function neverOddities({ limits }: Config): Finding[] {
  return limits.never.flatMap((glob, index) => {
    const path = ['limits', 'never', index];
    if (/^\*+$/.test(glob)) return [warning(path, 'keeps everything from being bought')];
    if (/[*?\s]/.test(glob)) return [];
    return [
      warning(
        path,
        `is compared with whole names, so no name that merely holds "${glob}" is kept out`,
        `write "*${glob}*" to keep out every name that holds it`,
      ),
    ];
  });
}

function paceOddities({ feed, rate }: Config): Finding[] {
  const found: Finding[] = [];
  const seconds = (text: string): number => (durationMs(text) ?? 0) / 1000;
  const { interval, require, staleAfter } = feed.health;
  if (require !== 'off' && seconds(staleAfter) <= seconds(interval)) {
    found.push(
      warning(
        ['feed', 'health', 'staleAfter'],
        `is no longer than health.interval (${interval}), so health is stale most of the time and buying stops`,
      ),
    );
  }
  const needed = 1 / seconds(feed.interval) + (require === 'off' ? 0 : 1 / seconds(interval));
  if (needed > rate.reads.perSecond) {
    const message = `is ${rate.reads.perSecond}, less than the ${Number(needed.toFixed(2))} that polls and health need, so polls come late`;
    found.push(warning(['rate', 'reads', 'perSecond'], message, 'raise it, or lengthen feed.interval'));
  }
  return found;
}
