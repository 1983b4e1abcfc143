import { createInterface } from 'node:readline';

/**
 * Asks whoever sits at the terminal, one question after the other; undefined once they end it with Ctrl-C or Ctrl-D. What is typed ahead
 * answers the questions that follow.
 */
export function terminalAsker(): (question: string) => Promise<string | undefined> {
  const typed: string[] = [];
  let isOver = false;
  let heard = (): void => undefined;
  let begun = false;
  const begin = (): void => {
    begun = true;
    const lines = createInterface({ input: process.stdin, output: process.stdout, prompt: '' });
    lines.on('line', (line) => {
      typed.push(line);
      heard();
    });
    lines.on('SIGINT', () => lines.close());
    lines.on('close', () => {
      isOver = true;
      heard();
    });
  };
  return async (question) => {
    process.stdout.write(question);
    if (!begun) begin();
    while (typed.length === 0 && !isOver) await new Promise<void>((resolve) => (heard = resolve));
    return typed.shift();
  };
}
