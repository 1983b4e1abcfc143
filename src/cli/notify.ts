import { type Command, Option } from 'commander';
import { type ConfiguredChannel, channelsOf, senderOf } from '../app/channels.ts';
import type { Clock } from '../domain/clock.ts';
import { type ChannelName, type Sent, channelNames } from '../notify/channel.ts';
import type { Letter } from '../notify/letter.ts';
import { type AddCommand, type SharedOptions, examples } from './command.ts';
import { CommandFailure, type ExitCode, exits } from './exit.ts';
import type { Io } from './io.ts';
import { printJson } from './json.ts';
import { wholeLocalSettingsFor } from './settings.ts';

interface TestOptions extends SharedOptions {
  readonly channel?: ChannelName;
  readonly json?: boolean;
}

export const addNotify: AddCommand = (program, { io, run }) => {
  const notify = program.command('notify').summary('try the channels that alerts are told on');
  notify
    .command('test')
    .summary('send a message to each channel of the configuration')
    .description(
      'Sends a test message to each channel of the configuration, and says what came of it. Exit code 1 if any failed.',
    )
    .addOption(new Option('--channel <NAME>', 'that one alone').choices(channelNames))
    .option('--json', 'print one JSON document')
    .addHelpText('after', examples('magpie notify test --config live.yaml', 'magpie notify test --channel telegram'))
    .action((_: unknown, command: Command) => run(() => test(io, command.optsWithGlobals<TestOptions>())));
};

async function test(io: Io, options: TestOptions): Promise<ExitCode> {
  const { settings } = wholeLocalSettingsFor(io, options);
  const { clock, env, out } = io;
  const channels = channelsOf(settings.notify, { clock, env }).filter(
    ({ name }) => options.channel === undefined || options.channel === name,
  );
  if (channels.length === 0) throw noChannel(options);
  const results: { readonly name: ChannelName; readonly sent: Sent }[] = [];
  for (const channel of channels) results.push({ name: channel.name, sent: await tried(channel, senderOf(settings), clock) });
  const ok = results.every(({ sent }) => sent.ok);
  if (options.json === true)
    printJson(io, { ok, channels: results.map(({ name, sent }) => ({ channel: name, ...resultJson(sent) })) });
  else for (const { name, sent } of results) out.line(resultLine(io, name, sent));
  return ok ? exits.done : exits.failed;
}

function noChannel({ channel }: TestOptions): CommandFailure {
  const what = channel === undefined ? 'no channel: it has no `notify`' : `no notify.${channel}`;
  return new CommandFailure(
    exits.wrong,
    `The configuration has ${what}, so nothing was sent. docs/notify.md says how to add one.`,
  );
}

async function tried({ name, channel }: ConfiguredChannel, from: string, clock: Clock): Promise<Sent> {
  if (channel === undefined) {
    const next = 'set the variables that notify refers to in this terminal, as they are where the daemon runs';
    return { ok: false, kind: 'refused', message: `what notify.${name} needs is not set here`, next };
  }
  return channel.send(testLetter(from, clock.wall()), new AbortController().signal);
}

function testLetter(from: string, at: number): Letter {
  const message = 'This is a test: alerts arrive here.';
  const news = { id: undefined, at, message, next: undefined, purchaseId: undefined };
  return { from, at, brief: false, groups: [{ kind: 'test', count: 1, newest: [news] }] };
}

function resultJson(sent: Sent): Readonly<Record<string, unknown>> {
  return sent.ok ? { ok: true, message: null, next: null } : { ok: false, message: sent.message, next: nextOf(sent) };
}

function resultLine({ out }: Io, name: ChannelName, sent: Sent): string {
  if (sent.ok) return `${name.padEnd(9)} ${out.palette.good('sent')}`;
  return `${name.padEnd(9)} ${out.palette.bad('FAILED')}: ${sent.message}\n          → ${nextOf(sent)}`;
}

function nextOf(sent: Extract<Sent, { ok: false }>): string {
  if (sent.kind === 'refused') return sent.next;
  const { retryAfterMs: wait } = sent;
  const when = wait === undefined ? 'in a while' : `in ${Math.ceil(wait / 1_000)} s`;
  return `try again ${when}; if it stays, see whether this machine reaches it. Beside a daemon alerts wait until they arrive`;
}
