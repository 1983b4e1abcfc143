import { type Secret, secretsOfBot } from '../domain/secret.ts';
import type { Channel, ChannelSurroundings } from './channel.ts';
import { harmlessForTelegram } from './harmless.ts';
import { textOf } from './letter.ts';
import { post } from './post.ts';

export interface TelegramSettings {
  /** Of the bot. */
  readonly token: Secret;
  /** The number of a chat, or @name of a channel. */
  readonly chat: string;
  /** Where the Bot API is, without a slash at the end. */
  readonly api: string;
}

/** Telegram's own bound for one message. */
const LENGTH_MAX = 4_096;

/** A chat of Telegram that a bot writes to. */
export function telegramChannel({ token, chat, api }: TelegramSettings, { clock }: Pick<ChannelSurroundings, 'clock'>): Channel {
  const url = new URL(`${api}/bot${token.reveal()}/sendMessage`);
  const secrets = secretsOfBot(token);
  return {
    name: 'telegram',
    send(letter, signal) {
      const text = textOf(letter, harmlessForTelegram, LENGTH_MAX);
      const body = JSON.stringify({ chat_id: chat, text, link_preview_options: { is_disabled: true } });
      const next = 'see that notify.telegram.token is that of the bot, and that the bot may write to notify.telegram.chat';
      return post({ url, headers: { 'content-type': 'application/json' }, body, secrets, next }, clock, signal);
    },
  };
}
