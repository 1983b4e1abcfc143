import { onTestFinished } from 'vitest';
import { type Stage, TOKEN } from './stage.ts';

export interface Listener {
  /** What was told so far. */
  readonly text: () => string;
  readonly isOpen: () => boolean;
  /** Resolves once a text was told. */
  until(words: string): Promise<void>;
}

/** Looks on as a browser that has the token does. Rejects with the status where it is turned away. */
export async function listens({ page }: Pick<Stage, 'page'>, path = '/api/events'): Promise<Listener> {
  const leaving = new AbortController();
  onTestFinished(() => leaving.abort());
  const answer = await fetch(`${page.address}${path}`, {
    headers: { authorization: `Bearer ${TOKEN}` },
    signal: leaving.signal,
  });
  if (answer.status !== 200) throw new Error(String(answer.status));
  let [text, open] = ['', true];
  let heard = (): void => undefined;
  const read = async (): Promise<void> => {
    const decoder = new TextDecoder();
    for await (const piece of answer.body as AsyncIterable<Uint8Array>) {
      text += decoder.decode(piece, { stream: true });
      heard();
    }
  };
  void read()
    .catch(() => undefined)
    .finally(() => {
      open = false;
      heard();
    });
  return {
    text: () => text,
    isOpen: () => open,
    async until(words) {
      while (open && !text.includes(words)) await new Promise<void>((resolve) => (heard = resolve));
    },
  };
}

export const eventsIn = (text: string): string[] => [...text.matchAll(/^event: (\w+)$/gm)].map(([, name = '']) => name);
