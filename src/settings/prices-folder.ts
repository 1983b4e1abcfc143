import { join } from 'node:path';

/** Where several accounts keep their one record of prices, in the folder that they share. */
export function pricesFolder(shared: string): string {
  return join(shared, 'prices');
}
