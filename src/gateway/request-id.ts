import { serviceMessage } from '../domain/text.ts';
import { fieldAt } from './fields.ts';

/** The envelope's `requestId`, cleaned: what to quote to the service. undefined when there is none. */
export function requestIdIn(body: unknown): string | undefined {
  const id = fieldAt(body, ['requestId']);
  return typeof id === 'string' && id !== '' ? serviceMessage(id) : undefined;
}
