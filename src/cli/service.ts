import type { EndpointName } from '../api/endpoints.ts';
import type { Fault, FaultCause } from '../domain/fault.ts';
import { Secret } from '../domain/secret.ts';
import { stepWhereUnreached } from '../domain/unreached.ts';
import type { Hand, HandReply, HandRequest } from '../gateway/hand.ts';
import { withoutSecrets } from '../gateway/without-secrets.ts';
import { isFolderHeld } from '../ledger/lock.ts';
import { isPlayKey } from '../sandbox/accounts.ts';
import type { Settings } from '../settings/settings.ts';
import type { SharedOptions } from './command.ts';
import { CommandFailure, exits } from './exit.ts';
import type { Io } from './io.ts';
import { isObject } from './reply.ts';
import { wholeSettingsFor } from './settings.ts';

/** The service of a configuration, for a command that calls it by hand. */
export interface ServiceByHand {
  readonly settings: Settings;
  readonly hand: Hand;
  /** Calls to the same service with a child's own key, which appears in no output from here on. Closed with the rest. */
  handFor(key: Secret): Hand;
  /** A sandbox: nothing on it is real. Elsewhere every key must be one of a sandbox, since either may ask. */
  readonly isPlayMoney: boolean;
}

/**
 * Does some work with the service of the configuration; the embedded exchange is started for as long as that takes. Calls go by no
 * daemon and count in no rate of one: each is one request of a person. Where the configuration has several accounts and none is named,
 * it is the operator who asks, with the top-level key.
 */
export async function withService<T>(io: Io, options: SharedOptions, work: (service: ServiceByHand) => Promise<T>): Promise<T> {
  const { settings } = wholeSettingsFor(io, options);
  if (settings.service.kind === 'sandbox' && isFolderHeld(settings.recordingFolder)) throw embeddedElsewhere();
  const [{ partnerOf }, { createHand }] = await Promise.all([import('../app/surroundings.ts'), import('../gateway/hand.ts')]);
  const partner = await partnerOf(settings, io.clock, (error) => io.err.line(`The books could not be kept: ${String(error)}`));
  try {
    const ofTreasury = settings.treasury?.key;
    const account = partner.account ?? (ofTreasury && { apiKey: ofTreasury, partnerKey: ofTreasury });
    if (account === undefined) throw noKey();
    const { apiKey, partnerKey } = account;
    io.hide([apiKey, partnerKey].map((secret) => new Secret(secret.reveal())));
    const { baseUrl } = partner;
    const shared = { baseUrl, secrets: settings.secrets, timeoutMs: settings.rate.timeoutMs, clock: io.clock };
    const hand = masking(createHand({ ...shared, apiKey, partnerKey }), io);
    const others: Hand[] = [];
    const handFor = (key: Secret): Hand => {
      io.hide([key]);
      const other = masking(createHand({ ...shared, apiKey: key, partnerKey: undefined }), io);
      others.push(other);
      return other;
    };
    try {
      const isPlayMoney = partner.sandbox !== undefined || [apiKey, partnerKey].every((key) => isPlayKey(key.reveal()));
      return await work({ settings, hand, handFor, isPlayMoney });
    } finally {
      for (const other of others) await other.close();
      await hand.close();
    }
  } finally {
    await partner.sandbox?.close();
  }
}

/**
 * Our secrets are masked in what the service answers before anything is noted of it, cut short or written in a form of its own, should it
 * quote them. Only a new key stays as it came: it comes once, and goes into a file that is made for it.
 */
function masking(hand: Hand, { masked }: Io): Hand {
  const call: Hand['call'] = async (name, request) => {
    const reply = await hand.call(name, request);
    if (!reply.ok) return reply;
    const key = name === 'createUser' && isObject(reply.data) ? reply.data['apiKey'] : undefined;
    const data = withoutSecrets(reply.data, masked);
    return { ...reply, data: key === undefined ? data : { ...(data as object), apiKey: key } };
  };
  return { call, brokenRule: (name, request) => hand.brokenRule(name, request), close: () => hand.close() };
}

function embeddedElsewhere(): CommandFailure {
  return new CommandFailure(
    exits.held,
    'The embedded exchange lives in the daemon that runs, and only that can ask it. → `magpie status` shows what it knows; ' +
      '`magpie sandbox` serves one that everybody can ask',
  );
}

function noKey(): CommandFailure {
  return new CommandFailure(
    exits.wrong,
    'The configuration has no account.apiKey, and nothing can be asked without one. → set MAGPIE_API_KEY',
  );
}

/** The data of an answer, with how it can be found again at the service. A failure ends the command. */
export async function asked(
  hand: Hand,
  name: EndpointName,
  request: HandRequest,
): Promise<Extract<HandReply, { readonly ok: true }>> {
  const reply = await hand.call(name, request);
  if (!reply.ok) throw refusal(reply.fault);
  return reply;
}

/** Where nobody gave an answer, or it was no service that did. */
const unreached: ReadonlySet<FaultCause> = new Set(['connection', 'timeout', 'redirect', 'unreadable']);

/** What became of a call, in words for a person, with the next step. */
export function refusal(fault: Fault): CommandFailure {
  const { class: kind, cause, message, status, requestId } = fault;
  if (cause === 'request' && !fault.sent) return new CommandFailure(exits.wrong, `Nothing was sent: ${message}`);
  const named = requestId === undefined ? '' : ` (requestId ${requestId})`;
  const answered = status === undefined ? message : `HTTP ${status}: ${message}`;
  if (kind !== 'unknown') {
    const next = unreached.has(cause) ? `. → ${stepWhereUnreached(fault)}; \`magpie doctor\` looks at the rest` : '';
    return new CommandFailure(exits.failed, `The service did not do it: ${answered}${named}${next}`);
  }
  return new CommandFailure(
    exits.failed,
    `Nobody knows whether it was done: ${answered}${named}. Do not send it again before you have looked. → \`magpie ledger\``,
  );
}
