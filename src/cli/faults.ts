import { type FileFault, formatFault } from '../settings/file-fault.ts';
import type { Voice } from './io.ts';

/** Faults or warnings of files, one a line, each with its place. */
export function showFaults(voice: Voice, faults: readonly FileFault[], kind: 'fault' | 'warning'): void {
  const { palette } = voice;
  const label = kind === 'fault' ? palette.bad('fault') : palette.warn('warning');
  for (const fault of faults) voice.line(`${label} ${formatFault(fault)}`);
}
