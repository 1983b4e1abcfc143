import type { Command } from 'commander';
import { counted, printable } from '../domain/text.ts';
import { type Verified, verifyRecording } from '../replay/verify.ts';
import { type AddCommand, type SharedOptions, examples } from './command.ts';
import { type ExitCode, exits } from './exit.ts';
import type { Io } from './io.ts';
import { printJson } from './json.ts';
import { readingFile, recordingPath, shownRecording } from './recording-file.ts';
import { utc } from './time.ts';

interface VerifyOptions extends SharedOptions {
  readonly json?: boolean;
}

export const addRecordingVerify: AddCommand = (recording, { io, run }) => {
  recording
    .command('verify')
    .summary('read all of a recording and hold it against itself')
    .description(
      'Reads every page and every event of a recording, and says what is not as it was written and up to when it can be used. It changes nothing. Exits 1 if anything is damaged.',
    )
    .argument('[FILE]', 'a recording (default: that of the data folder)')
    .option('--json', 'print one JSON document')
    .addHelpText('after', examples('magpie recording verify --config live.yaml', 'magpie recording verify shared.db'))
    .action((file: string | undefined, _: unknown, command: Command) =>
      run(() => verify(io, file, command.optsWithGlobals<VerifyOptions>())),
    );
};

function verify(io: Io, file: string | undefined, options: VerifyOptions): ExitCode {
  const path = recordingPath(io, file, options);
  const verified = readingFile(io, path, () => verifyRecording(path));
  const { flaws, sessions, polls, events, inputs } = verified;
  const ok = flaws.length === 0;
  if (options.json === true) {
    const told = flaws.map(({ readUntil, message }) => ({
      ...{ readUntil: readUntil === undefined ? null : new Date(readUntil).toISOString(), message },
    }));
    printJson(io, { ok, recording: path, sessions, polls, events, inputs, flaws: told });
  } else show(io, path, verified);
  return ok ? exits.done : exits.failed;
}

function show(io: Io, path: string, { flaws, sessions, polls, events, inputs }: Verified): void {
  const { out } = io;
  const held = `${counted(sessions, 'session')}, ${counted(polls, 'poll')}, ${counted(events, 'event')}, ${counted(inputs, 'other input')}`;
  const shown = shownRecording(io, path);
  if (flaws.length === 0) return out.line(`${out.palette.good('Sound:')} ${shown} with ${held}`);
  out.line(`${out.palette.bad('DAMAGED:')} ${shown}; what can be read is ${held}`);
  for (const { readUntil, message } of flaws) {
    const until = readUntil === undefined ? '' : ` (read up to ${utc(readUntil)})`;
    out.line(`  ${printable(message, 300)}${until}`);
  }
  out.line('→ `magpie recording merge NEW.db OLD.db` takes what can be read into a new recording');
}
