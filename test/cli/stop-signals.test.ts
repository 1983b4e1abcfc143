import { describe, expect, it } from 'vitest';
import type { SignalName } from '../../src/cli/io.ts';
import { stopSignals } from '../../src/cli/stop-signals.ts';
import { Signals } from './harness.ts';

describe('a signal', () => {
  it.each<SignalName>(['SIGINT', 'SIGTERM', 'SIGHUP'])(
    'asks to stop, and the second does not want to wait: %s [P16]',
    async (name) => {
      const signals = new Signals();
      const { first, second, off } = stopSignals({ onSignal: (which, work) => signals.on(which, work) });
      signals.send(name);
      signals.send('SIGTERM');
      expect(await first).toBe(name);
      expect(await second).toBe('SIGTERM');
      off();
      signals.send(name);
    },
  );
});
