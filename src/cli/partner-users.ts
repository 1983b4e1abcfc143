import { resolve } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { checkedBody, requestFaultText } from '../api/request.ts';
import { endpoints } from '../api/endpoints.ts';
import type { Fault } from '../domain/fault.ts';
import { Secret } from '../domain/secret.ts';
import { printable } from '../domain/text.ts';
import type { HandReply } from '../gateway/hand.ts';
import { type AddCommand, type SharedOptions, examples } from './command.ts';
import { CommandFailure, type ExitCode, exits } from './exit.ts';
import type { Io } from './io.ts';
import { printJson } from './json.ts';
import { type KeyFile, roomForKey } from './key-file.ts';
import { type KnownChild, knownChildren, noteChild } from './known-children.ts';
import { refusal, withService } from './service.ts';
import { placesOf, wholeLocalSettingsFor } from './settings.ts';
import { type Sheet, showSheet } from './sheet.ts';

interface UsersOptions extends SharedOptions {
  readonly name?: string;
  readonly description?: string;
  readonly keyFile?: string;
  readonly variable: string;
  readonly json?: boolean;
  readonly csv?: boolean;
}

/** `magpie partner users`: child keys. */
export const addPartnerUsers: AddCommand = (partner, { io, run }) => {
  partner
    .command('users')
    .summary('list child keys, make one for a merchant, or look at the one there is')
    .description(
      'Makes a child key for an address, or tells of the one that the address has. The service shows a key once, when it is made: it is written to a file that only you can read, in the form that --env-file takes, and printed nowhere. Without an address: those that this data folder has made or asked after, as the service last told of them, since the API lists none.',
    )
    .argument('[EMAIL]', 'the address of the merchant; left out: list those that are known here')
    .option('--name <TEXT>', 'at most 128 characters')
    .option('--description <TEXT>', 'at most 500 characters')
    .option('--key-file <FILE>', 'where a new key is written (default: keys/EMAIL.env in this folder)')
    .option('--variable <NAME>', 'what the file calls the key', variableGiven, 'MAGPIE_API_KEY')
    .option('--json', 'print one JSON document, without the key')
    .option('--csv', 'the list as comma-separated values, safe in spreadsheets')
    .addHelpText(
      'after',
      examples(
        'magpie partner users merchant@example.com --name "A merchant"',
        'magpie partner users merchant@example.com --key-file keys/merchant.env --json',
        'magpie partner users --config live.yaml',
      ),
    )
    .action((email: string | undefined, _: unknown, command: Command) =>
      run(() => {
        const options = command.optsWithGlobals<UsersOptions>();
        return email === undefined ? list(io, options) : users(io, email, options);
      }),
    );
};

function variableGiven(text: string): string {
  if (/^[A-Z_][A-Z0-9_]*$/.test(text)) return text;
  throw new InvalidArgumentError('Capital letters, digits and _ make a name of a variable.');
}

function list(io: Io, options: UsersOptions): ExitCode {
  if (options.name !== undefined || options.description !== undefined || options.keyFile !== undefined)
    throw new CommandFailure(exits.wrong, 'Nothing was sent: a key is made for an address. → magpie partner users EMAIL …');
  const { children, unreadable } = knownChildren(wholeLocalSettingsFor(io, options).settings.data);
  showSheet(io, options, childrenSheet(children), { children: children.map(jsonOf) });
  for (const path of unreadable) io.err.line(io.err.palette.warn(`${printable(path, 500)}: it cannot be read, and is left out`));
  return unreadable.length === 0 ? exits.done : exits.failed;
}

function childrenSheet(children: readonly KnownChild[]): Sheet {
  return {
    columns: [
      { field: 'email', grows: true },
      { field: 'apiKeyId', title: 'key id' },
      { field: 'name' },
      { field: 'status' },
      { field: 'toldAt', title: 'told (UTC)' },
      { field: 'keyFile', title: 'key in' },
    ],
    rows: children.map((child) => ({ ...child, toldAt: new Date(child.toldAt).toISOString() })),
    none: 'No child key was made or asked after with this data folder. → magpie partner users EMAIL makes one, or tells of the one there is',
    after: children.length === 0 ? [] : ['As the service last told of each. → magpie partner users EMAIL asks again'],
  };
}

function jsonOf({ toldAt, ...child }: KnownChild): unknown {
  return { ...child, toldAt: new Date(toldAt).toISOString() };
}

async function users(io: Io, email: string, options: UsersOptions): Promise<ExitCode> {
  const body = {
    email,
    ...(options.name && { name: options.name }),
    ...(options.description && { description: options.description }),
  };
  const checked = checkedBody(endpoints.createUser, body);
  if (!checked.ok) throw new CommandFailure(exits.wrong, `Nothing was sent: ${requestFaultText(checked.fault)}`);
  return withService(io, options, async ({ hand, settings }) => {
    io.err.line(placesOf(io, settings));
    const room = roomForKey(resolve(io.cwd, options.keyFile ?? `keys/${fileNameOf(email)}.env`));
    try {
      const reply = await hand.call('createUser', { body });
      if (!reply.ok) throw notMade(reply.fault, email);
      return told(io, options, reply, { email, room, data: settings.data });
    } finally {
      room.release();
    }
  });
}

/** What an address may hold and a file name may not is left out, so that it names a file of that folder and no other. */
function fileNameOf(email: string): string {
  return email
    .toLowerCase()
    .replace(/[^a-z0-9@+_.-]/g, '_')
    .replace(/^\.+/, '_')
    .slice(0, 200);
}

function notMade(fault: Fault, email: string): CommandFailure {
  if (fault.class !== 'unknown') return refusal(fault);
  return new CommandFailure(
    exits.failed,
    `Nobody knows whether a key was made for ${printable(email)}: ${fault.message}. → ask again: if the address has a key by then, it was made and its ` +
      'key was lost on the way; the service can replace it',
  );
}

type Answered = Extract<HandReply, { readonly ok: true }>;

interface Place {
  readonly email: string;
  readonly room: KeyFile;
  /** The data folder. */
  readonly data: string;
}

function told(io: Io, { json = false, variable }: UsersOptions, reply: Answered, { email, room, data }: Place): ExitCode {
  const { requestId, odd } = reply;
  const said: Readonly<Record<string, unknown>> = typeof reply.data === 'object' && reply.data !== null ? { ...reply.data } : {};
  // Before anything else, however odd the rest is: it will not come again.
  const key = typeof said['apiKey'] === 'string' && said['apiKey'] !== '' ? new Secret(said['apiKey']) : undefined;
  if (key) io.hide([key]);
  const file = key && room.keep(variable, key);
  // What is noted passes no output: the new key is masked in it here.
  const field = (name: string): string | null => (typeof said[name] === 'string' ? io.masked(said[name]) : null);
  const [apiKeyId, name, status] = [field('apiKeyId'), field('name'), field('status')];
  noted(io, data, { email, apiKeyId, name, status, keyFile: file ?? null, toldAt: io.clock.now() });
  if (json)
    printJson(io, {
      apiKeyId,
      email: field('email') ?? email,
      name,
      status,
      isNew: key !== undefined,
      keyFile: file ?? null,
      requestId: requestId ?? null,
      odd: odd ?? null,
    });
  else for (const line of lines(email, { apiKeyId, status, file, before: keptBefore(data, email) })) io.out.line(line);
  if (odd === undefined) return exits.done;
  io.err.line(io.err.palette.bad(`The answer is not as the document says: ${printable(odd)}`));
  return exits.failed;
}

/** The list is a convenience: what could not be noted takes nothing from what was done. */
function noted(io: Io, data: string, child: KnownChild): void {
  try {
    noteChild(data, child);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    io.err.line(io.err.palette.warn(`It could not be noted for the list of children: ${printable(why, 500)}`));
  }
}

function keptBefore(data: string, email: string): string | undefined {
  const known = knownChildren(data).children.find((child) => child.email.toLowerCase() === email.toLowerCase());
  return known?.keyFile ?? undefined;
}

interface Told {
  readonly apiKeyId: string | null;
  readonly status: string | null;
  readonly file: string | undefined;
  /** Where the key was written when this folder made it. */
  readonly before: string | undefined;
}

function lines(email: string, { apiKeyId, status, file, before }: Told): string[] {
  const which = `${printable(email)}: child key ${printable(apiKeyId ?? 'without an id')}, ${printable(status ?? 'status unknown')}`;
  const made =
    file === undefined
      ? `It was there before, so its key is not shown again: ${before === undefined ? 'it is where it was kept when it was made' : `it was written to ${printable(before, 500)}`}.`
      : `New: its key is in ${printable(file, 500)}, which only you can read. The service does not show it again. → keep a copy in a safe place; --env-file FILE uses it`;
  const stands =
    status === null || status === 'active'
      ? []
      : [`→ what this key asks is refused while it is ${printable(status)}: only the service can change that`];
  return [which, made, ...stands];
}
