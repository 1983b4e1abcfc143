import { join } from 'node:path';
import type { Clock } from '../domain/clock.ts';
import type { Log } from '../engine/ports.ts';
import { Tape } from '../replay/tape.ts';
import type { TapeTrouble } from '../replay/trouble.ts';
import type { Settings } from '../settings/settings.ts';

interface RecordingOptions {
  readonly settings: Pick<Settings, 'recording' | 'recordingFolder'>;
  readonly clock: Clock;
  readonly version: string;
  /** Of the session: how what is recorded came to be seen. */
  readonly mode: string;
}

/** The recording of the data folder; undefined where the configuration wants none. */
export function tapeOf(
  { settings, clock, version, mode }: RecordingOptions,
  scrub: (text: string) => string,
  log: Log,
  onTrouble: (trouble: TapeTrouble) => void,
): Tape | undefined {
  const { recording } = settings;
  if (recording === undefined) return undefined;
  return new Tape({
    path: recordingPathOf(settings),
    ...{ version, mode, scrub },
    startedAt: clock.now(),
    ...recording,
    onTrouble: (trouble) => {
      if (trouble.kind === 'resumed') log.info('recording-resumed', { lostPolls: trouble.lostPolls });
      onTrouble(trouble);
    },
  });
}

/** Where the recording of a data folder lies. */
export function recordingPathOf({ recordingFolder }: Pick<Settings, 'recordingFolder'>): string {
  return join(recordingFolder, 'recording.db');
}
