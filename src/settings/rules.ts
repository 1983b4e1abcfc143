import type { Finding } from './finding.ts';
import { fault } from './finding.ts';
import { isLoopback } from './loopback.ts';
import { oddities } from './oddities.ts';
import type { Config } from './schema.ts';

/** What no single key can say: which keys need each other, what live mode needs, and what is legal but hardly meant. */
export function checkTogether(config: Config): Finding[] {
  return [...serviceRules(config), ...(config.mode === 'live' ? liveRules(config) : []), ...webRules(config), ...oddities(config)];
}

function serviceRules({ service }: Config): Finding[] {
  const example = 'write `baseUrl: https://…` for the service, or `sandbox: {}` for the embedded exchange';
  if (service?.baseUrl !== undefined && service.sandbox !== undefined) {
    return [fault(['service'], 'has both baseUrl and sandbox; it must have exactly one', 'remove one of them')];
  }
  if (service?.baseUrl !== undefined || service?.sandbox !== undefined) return [];
  return [fault(['service'], 'needs exactly one of baseUrl and sandbox', example)];
}

/** With the embedded exchange the account comes from there; caps are needed all the same, so that a rehearsal is one. */
function liveRules({ service, account, limits }: Config): Finding[] {
  const found: Finding[] = [];
  if (service?.baseUrl !== undefined) {
    if (account?.apiKey === undefined) {
      found.push(fault(['account', 'apiKey'], 'is missing: live mode needs the key of the account', 'write `apiKey: ${MAGPIE_API_KEY}` below account'));
    }
    if (account?.tradeUrl === undefined) {
      found.push(fault(['account', 'tradeUrl'], 'is missing: live mode needs the trade URL that items are sent to', 'write `tradeUrl: ${MAGPIE_TRADE_URL}` below account'));
    }
  }
  if (limits.maxPrice === undefined) {
    found.push(fault(['limits', 'maxPrice'], 'is missing: live mode needs a cap for one purchase', 'write `maxPrice: 50` below limits'));
  }
  if (limits.spend.day === undefined && limits.spend.total === undefined) {
    found.push(fault(['limits', 'spend'], 'live mode needs a cap for spend: day or total', 'write `spend: { day: 100 }` below limits'));
  }
  return found;
}

function webRules({ web }: Config): Finding[] {
  if (!web || isLoopback(web.host) || web.token !== undefined) return [];
  const message = `is missing: others can reach ${web.host}, so the page needs a token`;
  return [fault(['web', 'token'], message, 'write `token: ${MAGPIE_WEB_TOKEN}`, or `host: 127.0.0.1`')];
}
