import { z } from 'zod';
import { type AlertKind, alertKinds } from '../domain/alert.ts';
import { block, key, oneOf, secretAddress, text, timeOfDay } from './shapes.ts';

const kinds = Object.keys(alertKinds) as [AlertKind, ...AlertKind[]];

function only() {
  const wants = { error: 'a list of kinds of alerts, such as [halt, unknown]' };
  return z
    .array(oneOf(kinds), wants)
    .min(1, wants)
    .max(kinds.length, wants)
    .optional()
    .describe('The kinds that are told there (`docs/alerts.md` lists them); left out, all of them are.')
    .meta({ title: 'list' });
}

function commandLine() {
  const wants = { error: 'a list of a program and its arguments, such as ["/usr/local/bin/tell", "--loud"]' };
  return z
    .array(text('a text without line breaks', /^[^\r\n\0]{1,4096}$/), wants)
    .min(1, wants)
    .max(100, wants)
    .meta({ title: 'list' });
}

const discord = block({
  webhook: secretAddress().optional().describe('Address of a webhook of the channel. Needed.'),
  only: only(),
});

const telegram = block({
  token: text('the token of a bot, such as 123456:ABC-DEF', /^[\w:-]{1,256}$/)
    .optional()
    .describe('Token of the bot. Needed.'),
  chat: text('the number of a chat, or @name of a channel, in quotes', /^(?:-?\d{1,20}|@\w{1,64})$/)
    .optional()
    .describe('The number of the chat, or @name of a channel; in quotes. Needed.'),
  api: secretAddress().default('https://api.telegram.org').describe('Where the Bot API is, should you run it yourself.'),
  only: only(),
});

const webhook = block({
  url: secretAddress().optional().describe('Where JSON is posted to. Needed.'),
  secret: key().optional().describe('What the receiver knows Magpie by: each message is signed with it. Needed.'),
  only: only(),
});

const command = block({
  run: commandLine().describe('A program and its arguments, started without a shell; it gets JSON on its input.'),
  only: only(),
});

/** Where a person is told what the log says, besides. */
export const notify = block({
  discord: discord.optional().describe('A channel of Discord.'),
  telegram: telegram.optional().describe('A chat of Telegram.'),
  webhook: webhook.optional().describe('Any address that takes JSON.'),
  command: command.optional().describe('A program on this machine.'),
  digest: timeOfDay()
    .optional()
    .describe('When a digest of the day is told, UTC; left out, none is. `digest` is a kind that `only` may name.'),
})
  .refine((channels) => Object.keys(channels).some((name) => name !== 'digest'), {
    error: 'a block with at least one of discord, telegram, webhook, command',
  })
  .meta({ anyOf: ['discord', 'telegram', 'webhook', 'command'].map((name) => ({ required: [name] })) });

/** Keys whose values are secret. */
export const notifySecrets = [
  ...['notify.discord.webhook', 'notify.telegram.token', 'notify.webhook.url', 'notify.webhook.secret'],
] as const;

/** What must be there to tell anything, and may be missing from the terminal of a command that tells nothing. */
export const notifyNeeds = [...notifySecrets, 'notify.telegram.chat'] as const;
