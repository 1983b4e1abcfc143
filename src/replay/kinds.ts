import type { RecordedEvent, RecordedInput } from './moment.ts';

/** Every kind of an event, and of an input: what a file of somebody else's may name. The compiler asks for each. */
const events: Readonly<Record<RecordedEvent['kind'], true>> = {
  ...{ appeared: true, repriced: true, changed: true, gone: true, bad: true },
};
const inputs: Readonly<Record<RecordedInput['kind'], true>> = {
  ...{ health: true, balance: true, strategies: true, attempt: true, evidence: true, event: true, settings: true },
  ...{ sight: true, looked: true, merged: true, webhook: true },
};

export const eventKinds = Object.keys(events) as readonly RecordedEvent['kind'][];
export const inputKinds = Object.keys(inputs) as readonly RecordedInput['kind'][];
