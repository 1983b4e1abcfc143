import { type Secret, secretsOfAddress } from '../domain/secret.ts';
import type { Channel, ChannelSurroundings } from './channel.ts';
import { harmlessForDiscord } from './harmless.ts';
import { textOf } from './letter.ts';
import { post } from './post.ts';

/** Discord's own bound for one message. */
const LENGTH_MAX = 2_000;

/** A webhook of a Discord channel. */
export function discordChannel(webhook: Secret, { clock }: Pick<ChannelSurroundings, 'clock'>): Channel {
  const url = new URL(webhook.reveal());
  const secrets = secretsOfAddress(webhook);
  return {
    name: 'discord',
    send(letter, signal) {
      const content = textOf(letter, harmlessForDiscord, LENGTH_MAX);
      // The flag keeps Discord from showing what it believes to be links.
      const body = JSON.stringify({ content, allowed_mentions: { parse: [] }, flags: 4 });
      const next =
        'make the webhook anew in the settings of the channel at Discord, and put its address into notify.discord.webhook';
      return post({ url, headers: { 'content-type': 'application/json' }, body, secrets, next }, clock, signal);
    },
  };
}
