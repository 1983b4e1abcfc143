import type { Fault } from '../domain/fault.ts';
import type { Answer } from './answer.ts';
import { mayHaveOrder } from './causes.ts';
import { mayRefuse } from './classify-buy.ts';
import { saidIn } from './said.ts';

/**
 * Whether what a call should have changed may have been changed, although its answer was a fault: by the same statuses and words that
 * leave a buy open. Only a refusal that is one for certain says that nothing was done.
 */
export function mayBeDone({ class: kind, cause, sent, status }: Fault, answer: Answer): boolean {
  if (!sent) return false;
  if (kind === 'transient' && cause !== 'rate') return true;
  return status === undefined || !mayRefuse(status) || mayHaveOrder(wordsOf(answer));
}

function wordsOf(answer: Answer): string {
  if (answer.kind === 'broken' || !('text' in answer.body)) return '';
  try {
    return saidIn(JSON.parse(answer.body.text)).words;
  } catch {
    return '';
  }
}
