import type { Path } from './file-fault.ts';
import type { Finding } from './finding.ts';
import { fault } from './finding.ts';
import { isLoopback } from './loopback.ts';
import { oddities } from './oddities.ts';
import type { Config } from './schema.ts';
import { treasuryRules } from './treasury-schema.ts';
import { webhookRules } from './webhooks-schema.ts';

/** What no single key can say: which keys need each other, what live mode needs, and what is legal but hardly meant. */
export function checkTogether(config: Config): Finding[] {
  return [
    ...serviceRules(config),
    ...(config.mode === 'live' && config.accounts === undefined ? liveRules(config) : []),
    ...webRules(config),
    ...notifyRules(config),
    ...deadManRules(config),
    ...webhookRules(config.webhooks),
    ...treasuryRules(config.treasury, config.accounts),
    ...oddities(config),
  ];
}

/** The same of one account among several, as far as it concerns an account. */
export function checkAccount(config: Config): Finding[] {
  return [...(config.mode === 'live' ? liveRules(config) : []), ...oddities(config)];
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
  const needed = (path: Path, message: string, suggestion: string): Finding => fault(path, message, suggestion, ['mode']);
  const found: Finding[] = [];
  if (service?.baseUrl !== undefined && account?.apiKey === undefined) {
    const suggestion = 'write `apiKey: ${MAGPIE_API_KEY}` below account';
    found.push(needed(['account', 'apiKey'], 'is missing: live mode needs the key of the account', suggestion));
  }
  if (service?.baseUrl !== undefined && account?.tradeUrl === undefined) {
    const suggestion = 'write `tradeUrl: ${MAGPIE_TRADE_URL}` below account';
    found.push(needed(['account', 'tradeUrl'], 'is missing: live mode needs the trade URL that items are sent to', suggestion));
  }
  if (limits.maxPrice === undefined) {
    const suggestion = 'write `maxPrice: 50` below limits';
    found.push(needed(['limits', 'maxPrice'], 'is missing: live mode needs a cap for one purchase', suggestion));
  }
  if (limits.spend?.day === undefined && limits.spend?.total === undefined) {
    const suggestion = 'write `spend: { day: 100 }` below limits';
    found.push(needed(['limits', 'spend'], 'lacks day and total: live mode needs one of them', suggestion));
  }
  return found;
}

function webRules({ web }: Config): Finding[] {
  if (!web || isLoopback(web.host) || web.token !== undefined) return [];
  const message = `is missing: others can reach ${web.host}, so the page needs a token`;
  return [fault(['web', 'token'], message, 'write `token: ${MAGPIE_WEB_TOKEN}`, or `host: 127.0.0.1`')];
}

function deadManRules({ deadMan }: Config): Finding[] {
  if (deadMan === undefined || deadMan.url !== undefined) return [];
  return [
    fault(
      ['deadMan', 'url'],
      'is missing: there is nothing to ping without it',
      'write `url: ${MAGPIE_DEAD_MAN_URL}` below deadMan',
    ),
  ];
}

/** They may be missing from the terminal of a command that tells nobody anything, and from nothing else. */
function notifyRules({ notify }: Config): Finding[] {
  const needed = [
    ['discord', 'webhook', 'MAGPIE_DISCORD_WEBHOOK'],
    ['telegram', 'token', 'MAGPIE_TELEGRAM_TOKEN'],
    ['telegram', 'chat', 'MAGPIE_TELEGRAM_CHAT'],
    ['webhook', 'url', 'MAGPIE_WEBHOOK_URL'],
    ['webhook', 'secret', 'MAGPIE_WEBHOOK_SECRET'],
  ] as const;
  return needed.flatMap(([channel, name, variable]) => {
    const block: Readonly<Record<string, unknown>> | undefined = notify?.[channel];
    if (block === undefined || block[name] !== undefined) return [];
    const suggestion = `write \`${name}: \${${variable}}\` below ${channel}`;
    return [fault(['notify', channel, name], 'is missing: nothing can be told there without it', suggestion)];
  });
}
