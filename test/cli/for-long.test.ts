import { expect, it } from 'vitest';
import type { Io } from '../../src/cli/io.ts';
import type { StopSignals } from '../../src/cli/stop-signals.ts';
import { untilEnded } from '../../src/cli/until-ended.ts';
import { VirtualClock } from '../support/virtual-clock.ts';

it('--for is kept to where it is longer than a timer can hold [P35]', async () => {
  const [clock, day] = [new VirtualClock(), 86_400_000];
  const stopped: number[] = [];
  const running = {
    ended: new Promise<never>(() => undefined),
    stop: () => void stopped.push(clock.now()),
    inFlight: () => 0,
  };
  const never: StopSignals = { first: new Promise(() => undefined), second: new Promise(() => undefined), off: () => undefined };
  const io = { clock, env: {}, parent: () => 1, err: { line: () => undefined } } as unknown as Io;
  const due = clock.now() + 90 * day;
  void untilEnded(io, running, never, 90 * day);
  await clock.advance(90 * day - 1);
  expect(stopped).toEqual([]);
  await clock.advance(1);
  expect(stopped).toEqual([due]);
});
