import type { AddCommand } from './command.ts';
import { addRecordingCompact } from './recording-compact.ts';
import { addRecordingExport } from './recording-export.ts';
import { addRecordingImport } from './recording-import.ts';
import { addRecordingInfo } from './recording-info.ts';
import { addRecordingMerge } from './recording-merge.ts';
import { addRecordingTrim } from './recording-trim.ts';
import { addRecordingVerify } from './recording-verify.ts';

/** Each part of `magpie recording`, in the order in which `--help` shows them. */
const parts: readonly AddCommand[] = [
  addRecordingInfo,
  addRecordingVerify,
  addRecordingTrim,
  addRecordingCompact,
  addRecordingMerge,
  addRecordingExport,
  addRecordingImport,
];

export const addRecording: AddCommand = (program, context) => {
  const recording = program.command('recording').summary('look into recordings, and keep them');
  for (const add of parts) add(recording, context);
};
