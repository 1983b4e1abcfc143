import { createHmac } from 'node:crypto';
import { type Secret, secretsOfAddress } from '../domain/secret.ts';
import type { Channel, ChannelSurroundings } from './channel.ts';
import { harmlessForPrograms } from './harmless.ts';
import { letterJson, textOf } from './letter.ts';
import { post } from './post.ts';

export interface WebhookSettings {
  readonly url: Secret;
  /** What a receiver knows us by. */
  readonly secret: Secret;
}

export const PROGRAM_TEXT_MAX = 4_000;

/**
 * Any address that takes JSON. The header `magpie-signature` is `sha256=` and the HMAC-SHA256 of the header `magpie-timestamp` (Unix
 * seconds), a point, and the bytes of the body: a receiver that checks both and refuses old times knows it from forged and repeated ones.
 */
export function webhookChannel(
  { url: address, secret }: WebhookSettings,
  { clock }: Pick<ChannelSurroundings, 'clock'>,
): Channel {
  const url = new URL(address.reveal());
  const secrets = [...secretsOfAddress(address), secret];
  return {
    name: 'webhook',
    send(letter, signal) {
      const sentAt = clock.wall();
      const body = JSON.stringify(letterJson(letter, textOf(letter, harmlessForPrograms, PROGRAM_TEXT_MAX), sentAt));
      const timestamp = String(Math.floor(sentAt / 1_000));
      const headers = {
        'content-type': 'application/json',
        'magpie-timestamp': timestamp,
        'magpie-signature': `sha256=${createHmac('sha256', secret.reveal()).update(`${timestamp}.${body}`).digest('hex')}`,
      };
      const next = 'see that notify.webhook.url takes POST, and that its receiver knows notify.webhook.secret';
      return post({ url, headers, body, secrets, next }, clock, signal);
    },
  };
}
