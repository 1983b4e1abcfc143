import { Secret } from '../domain/secret.ts';
import type { Path } from './file-fault.ts';
import { fault, type Finding, warning } from './finding.ts';
import { isLoopback } from './loopback.ts';
import { address, block, key, text, textList, whole } from './shapes.ts';
import type { Settings } from './settings.ts';
import type { z } from 'zod';

/** A path that cannot be guessed is at least so long. */
const PATH_LENGTH_MIN = 20;

export const webhooks = block({
  host: text('a host name or an IP address', /^[A-Za-z0-9.:_-]{1,253}$/)
    .default('127.0.0.1')
    .describe('Address to listen at. Let a proxy that speaks TLS stand before it rather than another one.'),
  port: whole(0, 65_535).default(9791).describe('Port to listen at; 0 takes any free one.'),
  path: text('a path such as /hooks/3f9c2a7e5b8d41c6, of letters, digits and -._~/', /^\/[A-Za-z0-9._~/-]{1,200}$/)
    .optional()
    .describe('The path that events are posted to; choose one that nobody guesses. Needed.'),
  secret: key().optional().describe('What the service signs events with; left out, anybody who knows the path may post some.'),
  header: text('the name of a header', /^[A-Za-z0-9-]{1,100}$/)
    .default('X-Webhook-Signature')
    .describe('Header with the HMAC-SHA256 of the body in hexadecimal digits, with or without `sha256=` before it.'),
  names: textList('host names')
    .default([])
    .describe('Host names by which a proxy before it is known; those of this machine are always taken.'),
});

/** Where the embedded exchange posts its events. */
export const sandboxWebhooks = block({
  url: address().describe('Address on this machine, such as that of `webhooks`.'),
  secret: key().optional().describe('What they are signed with.'),
});

/** Keys whose values are secret. */
export const webhookSecrets = ['webhooks.path', 'webhooks.secret', 'service.sandbox.webhooks.secret'] as const;

type Written = z.output<typeof webhooks> | undefined;

/** Where the daemon listens, and what of it may appear in no output. */
export function resolveWebhooks(written: Written): {
  readonly webhooks: Settings['webhooks'];
  readonly secrets: readonly Secret[];
} {
  if (written?.path === undefined) return { webhooks: undefined, secrets: [] };
  const path = new Secret(written.path);
  const secret = written.secret === undefined ? undefined : new Secret(written.secret);
  const { host, port, header, names } = written;
  const isSecret = written.path.length >= PATH_LENGTH_MIN;
  return {
    webhooks: { host, port, path, secret, header: header.toLowerCase(), names },
    secrets: [...(isSecret ? [path] : []), ...(secret ? [secret] : [])],
  };
}

/** What must be there together, and what is legal but hardly meant. */
export function webhookRules(written: Written): Finding[] {
  if (written === undefined) return [];
  const at = (name: string): Path => ['webhooks', name];
  if (written.path === undefined)
    return [fault(at('path'), 'is missing: events are posted to a path', 'write `path: ${MAGPIE_HOOK_PATH}` below webhooks')];
  if (written.secret !== undefined) return [];
  if (!isLoopback(written.host)) {
    const message = `is missing: others can reach ${written.host}, so events need a signature`;
    return [fault(at('secret'), message, 'write `secret: ${MAGPIE_HOOK_SECRET}`, or `host: 127.0.0.1`')];
  }
  if (written.path.length >= PATH_LENGTH_MIN) return [];
  const message =
    'can be guessed, and without webhooks.secret whoever knows it can make Magpie look at the orders again and again';
  return [warning(at('path'), message, 'write a longer one, such as /hooks/3f9c2a7e5b8d41c6')];
}
