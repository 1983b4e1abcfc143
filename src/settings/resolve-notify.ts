import { Secret, secretsOfAddress, secretsOfBot } from '../domain/secret.ts';
import type { Config } from './schema.ts';
import type { NotifySettings } from './settings.ts';
import { timeOfDayMs } from './units.ts';

/** Where alerts are told, and what of it may appear in no output. */
export function resolveNotify(notify: Config['notify']): {
  readonly notify: NotifySettings | undefined;
  readonly secrets: readonly Secret[];
} {
  if (notify === undefined) return { notify, secrets: [] };
  const { discord, telegram, webhook, command, digest } = notify;
  const told: NotifySettings = {
    discord: discord && { webhook: secretOf(discord.webhook), only: discord.only },
    telegram: telegram && {
      ...{ token: secretOf(telegram.token), chat: telegram.chat, only: telegram.only },
      api: telegram.api.replace(/\/+$/, ''),
    },
    webhook: webhook && { url: secretOf(webhook.url), secret: secretOf(webhook.secret), only: webhook.only },
    command: command && { run: command.run, only: command.only },
    digestMs: digest === undefined ? undefined : timeOfDayMs(digest),
  };
  const addresses = [told.discord?.webhook, told.webhook?.url].filter((address) => address !== undefined);
  const bots = [told.telegram?.token].filter((token) => token !== undefined);
  const keys = [told.webhook?.secret].filter((secret) => secret !== undefined);
  return { notify: told, secrets: [...addresses.flatMap(secretsOfAddress), ...bots.flatMap(secretsOfBot), ...keys] };
}

function secretOf(text: string | undefined): Secret | undefined {
  return text === undefined ? undefined : new Secret(text);
}
