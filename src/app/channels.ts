import type { AlertKind } from '../domain/alert.ts';
import type { Channel, ChannelName, ChannelSurroundings } from '../notify/channel.ts';
import { commandChannel } from '../notify/command.ts';
import { discordChannel } from '../notify/discord.ts';
import { telegramChannel } from '../notify/telegram.ts';
import { webhookChannel } from '../notify/webhook.ts';
import type { NotifySettings, Settings } from '../settings/settings.ts';

/** A channel as the configuration has it. */
export interface ConfiguredChannel {
  readonly name: ChannelName;
  /** The kinds that are told there; undefined: all. */
  readonly only: readonly AlertKind[] | undefined;
  /** undefined where the environment lacks what makes it work. */
  readonly channel: Channel | undefined;
}

/** The channels of a configuration, in the order of its reference; none where it has no `notify`. */
export function channelsOf(notify: NotifySettings | undefined, surroundings: ChannelSurroundings): readonly ConfiguredChannel[] {
  const { discord, telegram, webhook, command } = notify ?? {};
  return [
    ...(discord === undefined
      ? []
      : [
          {
            name: 'discord' as const,
            only: discord.only,
            channel: discord.webhook && discordChannel(discord.webhook, surroundings),
          },
        ]),
    ...(telegram === undefined ? [] : [telegramOf(telegram, surroundings)]),
    ...(webhook === undefined ? [] : [webhookOf(webhook, surroundings)]),
    ...(command === undefined
      ? []
      : [{ name: 'command' as const, only: command.only, channel: commandChannel(command.run, surroundings) }]),
  ];
}

function telegramOf(
  { token, chat, api, only }: NonNullable<NotifySettings['telegram']>,
  surroundings: ChannelSurroundings,
): ConfiguredChannel {
  return {
    name: 'telegram',
    only,
    channel: token && chat !== undefined ? telegramChannel({ token, chat, api }, surroundings) : undefined,
  };
}

function webhookOf(
  { url, secret, only }: NonNullable<NotifySettings['webhook']>,
  surroundings: ChannelSurroundings,
): ConfiguredChannel {
  return { name: 'webhook', only, channel: url && secret && webhookChannel({ url, secret }, surroundings) };
}

/** Who speaks in a message. */
export function senderOf({ mode, account }: Pick<Settings, 'mode' | 'account'>): string {
  const name = account === undefined ? 'Magpie' : `Magpie [${account}]`;
  return mode === 'live' ? name : `${name} (dry-run)`;
}
