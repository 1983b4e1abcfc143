import type { Fault } from '../domain/fault.ts';
import type { Answer } from './answer.ts';
import { mayHaveOrder } from './causes.ts';
import { mayRefuse } from './classify-buy.ts';
import { asObject, fieldAt } from './fields.ts';
import { saidIn } from './said.ts';

/**
 * Whether what a call should have changed may have been changed, although its answer was a fault: by the same statuses and words that
 * leave a buy open. Only a refusal that is one for certain says that nothing was done: whole, JSON, and in no contradiction to itself.
 */
export function mayBeDone({ class: kind, cause, sent, status }: Fault, answer: Answer): boolean {
  if (!sent) return false;
  if (kind === 'transient' && cause !== 'rate') return true;
  if (status === undefined || !mayRefuse(status)) return true;
  const said = jsonOf(answer);
  // Who counts requests stands before who carries them out, and need not speak JSON.
  if (said === undefined) return status !== 429;
  return (status >= 300 && fieldAt(said, ['success']) === true) || mayHaveOrder(saidIn(said).words);
}

/** What the service itself has said; undefined where it may have been somebody in between, who cannot know what was done. */
function jsonOf(answer: Answer): unknown {
  if (answer.kind === 'broken' || !('text' in answer.body)) return undefined;
  try {
    const said: unknown = JSON.parse(answer.body.text);
    return asObject(said);
  } catch {
    return undefined;
  }
}
