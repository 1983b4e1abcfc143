import type { AlertKind } from '../../src/domain/alert.ts';
import type { Letter, News } from '../../src/notify/letter.ts';
import { NOON } from '../support/values.ts';

export function news(message: string, given: Partial<News> = {}): News {
  return { id: undefined, at: NOON, message, next: undefined, purchaseId: undefined, ...given };
}

/** A letter of one piece of news for each text, all of one kind. */
export function letter(texts: readonly string[], kind: AlertKind = 'refund', count = texts.length): Letter {
  return { from: 'Magpie', at: NOON, brief: false, groups: [{ kind, count, newest: texts.map((text) => news(text)) }] };
}
