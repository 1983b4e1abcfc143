import { signal } from '@preact/signals';
import { every } from './browser.ts';

/** Grows every half minute: for what takes long to count and changes slowly. */
export const half = signal(0);

export function beat(): void {
  every(30_000, () => (half.value += 1));
}
