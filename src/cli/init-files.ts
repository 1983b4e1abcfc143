import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { packagedConfig } from '../settings/load.ts';
import type { Answers } from './init-questions.ts';

/** A file that `init` writes. */
export interface NewFile {
  /** Relative to the folder. */
  readonly name: string;
  readonly text: string;
  readonly mode: number;
}

/** What `.env` holds; what is empty is to be filled in. */
export interface EnvValues {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly partnerKey: string;
  readonly tradeUrl: string;
}

/** Names of what is written, in the order in which a person meets them. */
export const CONFIG_FILE = 'live.yaml';
export const ENV_FILE = '.env';

/** `data`: as it stands in the configuration. */
export function newFiles(answers: Answers, env: EnvValues, data: string): readonly NewFile[] {
  return [
    { name: CONFIG_FILE, text: configText(answers, data), mode: 0o644 },
    { name: ENV_FILE, text: envText(env), mode: 0o600 },
    { name: 'strategies/first.yaml', text: strategyText(answers), mode: 0o644 },
    ...['config.schema.json', 'strategy.schema.json'].map((name) => {
      return { name: `schemas/${name}`, text: packaged(`schemas/${name}`), mode: 0o644 };
    }),
  ];
}

function packaged(name: string): string {
  return readFileSync(join(dirname(packagedConfig), '..', name), 'utf8');
}

const HEAD = `# yaml-language-server: $schema=schemas/config.schema.json

# (The line above is for your editor: it completes and checks what you type.)

# Magpie's configuration. As it stands it is a dry run: it watches the market and writes down what it would buy, and it cannot buy.
# \${NAME} is replaced from the environment or from .env beside this file. \`magpie check --defaults\` prints every key with its meaning.
# When the dry run is what you want: look through \`limits\`, change the last line to \`mode: live\`, and start Magpie again.

`;

/** The configuration that comes with Magpie, with its comments and other amounts. Throws where that is not what it was. */
function configText({ topLevel, maxPrice, perDay, inAll }: Answers, data: string): string {
  const text = packaged('config/live.yaml');
  const hour = Math.max(maxPrice, Math.ceil(perDay * 0.4));
  const changes: readonly (readonly [string, string])[] = [
    ['require: ok, ', topLevel ? 'require: ok, ' : 'require: off, '],
    ['  maxPrice: 20 ', `  maxPrice: ${maxPrice} `],
    ['{ hour: 40, day: 100, total: 500 }', `{ hour: ${Math.min(hour, perDay)}, day: ${perDay}, total: ${inAll} }`],
    ['data: ./data ', `data: ${JSON.stringify(data)} `.replace(/^data: "(\.\/data)"/, 'data: $1')],
  ];
  const body = text.slice(text.indexOf('service:\n'));
  return `${HEAD}${changes.reduce((changed, [from, to]) => replacedOnce(changed, from, to), body)}`;
}

function replacedOnce(text: string, from: string, to: string): string {
  const parts = text.split(from);
  if (parts.length !== 2) throw new Error(`config/live.yaml holds ${parts.length - 1} times: ${from}`);
  return parts.join(to);
}

function envText({ baseUrl, apiKey, partnerKey, tradeUrl }: EnvValues): string {
  return `# Variables of ${CONFIG_FILE}, which lies beside this file. What the environment says goes first. Keep this file to yourself: its mode is
# 0600, it belongs into no repository, and a key can withdraw the balance behind it.
# One NAME=value a line, without blanks around the =.

# Address of the service, as it gave it to you: https://…
MAGPIE_BASE_URL=${baseUrl}

# The key that buys: one for Magpie alone, on an account (a child account, if you can) that holds a few days' budget and no more.
MAGPIE_API_KEY=${apiKey}

# A top-level key, which market health is read with. Without one nothing is bought unless feed.health.require is off.
MAGPIE_PARTNER_KEY=${partnerKey}

# Where bought items are sent; needed to go live. Take it from your own account's page on Steam, and compare it twice:
# https://steamcommunity.com/tradeoffer/new/?partner=…&token=…
MAGPIE_TRADE_URL=${tradeUrl}
`;
}

function strategyText({ maxPrice, perDay, item, ofSteam }: Answers): string {
  return `# yaml-language-server: $schema=../schemas/strategy.schema.json

# All conditions under \`when\` must hold, and every price rule; then the limits decide. Each file in this folder is one strategy: copy this
# one under another name and change it. \`magpie check\` finds mistakes, \`magpie why LISTING_ID\` explains every decision.

name: first                    # unique; a-z, 0-9 and -
when:
  name: ${JSON.stringify(item)}            # * and ? only; the whole name, without regard to case. A list is "any of these"
  steamPrice: { min: 1 }       # cheaper items are not worth Steam's fee
  # wear: { min: 0.15, below: 0.18 }
  # exterior: [Factory New, Minimal Wear]
price:
  max: ${maxPrice}                      # the price with the fee, in dollars
  maxOfSteam: ${ratio(ofSteam)}             # at most ${ofSteam} % of Steam's price
limits:
  spend: { day: ${perDay} }
  perItem: { day: 1 }          # never a pile of one item
`;
}

/** 65 → 0.65, without what binary fractions add. */
function ratio(percent: number): number {
  return Number((percent / 100).toFixed(4));
}
