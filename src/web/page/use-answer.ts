import { type ReadonlySignal, useSignal, useSignalEffect } from '@preact/signals';
import { after, ask, nowMs } from './browser.ts';
import { leave } from './live.ts';
import { asked as askedOf } from './where.ts';

export interface Answer<T> {
  /** The newest that came; undefined before the first, or where there is nothing of the kind. */
  readonly value: T | undefined;
  /** 0 while nothing has come. */
  readonly status: number;
  readonly message: string;
}

/** However often something changes, an answer is asked for no oftener than this. */
const PAUSE_MS = 2_000;
/** One that says it is not the whole yet is asked for again this soon. */
const GO_ON_MS = 1_000;

/**
 * What the server says to a question, asked again when the question or a version changes. What came before stays in sight until the next
 * has come, so that nothing jumps.
 */
export function useAnswer<T>(
  path: ReadonlySignal<string>,
  version?: ReadonlySignal<number>,
  isWhole: (value: T) => boolean = () => true,
): Answer<T> {
  const answer = useSignal<Answer<T>>({ value: undefined, status: 0, message: '' });
  const asked = useSignal<{ readonly path: string; readonly at: number }>({ path: '', at: 0 });
  const round = useSignal(0);
  const isPart = ({ value }: Answer<T>): boolean => value !== undefined && !isWhole(value);
  useSignalEffect(() => {
    const question = askedOf(path.value);
    void version?.value;
    void round.value;
    const before = asked.peek();
    const pause = isPart(answer.peek()) ? GO_ON_MS : PAUSE_MS;
    const wait = before.path === question ? Math.max(0, before.at + pause - nowMs()) : 0;
    const cancel = after(wait, () => {
      asked.value = { path: question, at: nowMs() };
      void ask<T>(question).then((got) => {
        if (got.status === 401) leave();
        // What cannot be reached now leaves in sight what there was; the head of the page says that the line is broken.
        else if (asked.peek().path === question && (got.status !== 0 || answer.peek().status === 0)) {
          answer.value = got;
          if (isPart(got)) round.value += 1;
        }
      });
    });
    return cancel;
  });
  return answer.value;
}
