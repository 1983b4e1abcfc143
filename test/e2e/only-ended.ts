import { expect, onTestFinished } from 'vitest';
import type { DaemonProcess } from '../../scripts/proof/daemon-process.ts';

/** It is gone after the test, which fails where it had ended by itself: what was started again since may look as if nothing had been. */
export function onlyEnded(daemon: DaemonProcess): DaemonProcess {
  onTestFinished(async () => {
    await daemon.kill();
    expect(daemon.endsByItself).toEqual([]);
  });
  return daemon;
}
