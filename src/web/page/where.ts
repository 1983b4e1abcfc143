import { computed, signal } from '@preact/signals';
import { onPlace, place } from './browser.ts';

/** The address behind `#`. */
export const where = signal(place());

/** Follows the address bar. */
export function followPlace(): void {
  onPlace(() => (where.value = place()));
}

/** What stands before a view of one of several accounts. */
const ofAccount = /^\/?accounts\/([a-z0-9-]+)(?=[/?]|$)/;

/** The account that is looked at; undefined for all of them together, and where there is only one. */
export const account = computed(() => ofAccount.exec(where.value)?.[1]);

/** The name of the view, what stands behind it, and what narrows it. */
export const view = computed(() => {
  const [path = '', query = ''] = where.value.replace(ofAccount, '').split('?', 2);
  const [, name = '', rest = ''] = /^\/?([^/]*)\/?(.*)$/.exec(path) ?? [];
  return { name, rest: decoded(rest), query: new URLSearchParams(query) };
});

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The place of a view (`/purchases`), of the account that is looked at unless it says otherwise. */
export function placeOf(view: string, of = account.value): string {
  return of === undefined ? view : `/accounts/${of}${view}`;
}

/** What leads to it. */
export function to(view: string, of = account.value): string {
  return `#${placeOf(view, of)}`;
}

/** Where the server answers for the account that is looked at. */
export function asked(path: string): string {
  return account.value === undefined ? path : `accounts/${account.value}/${path}`;
}

/** What a command at a terminal needs to mean that account. */
export function option(): string {
  return account.value === undefined ? '' : ` --account ${account.value}`;
}

/** The place of the same view with other words behind its `?`; what is empty is left out. */
export function narrowed(change: Readonly<Record<string, string>>): string {
  const { name, rest, query } = view.value;
  const next = new URLSearchParams(query);
  for (const [key, value] of Object.entries(change)) {
    if (value === '') next.delete(key);
    else next.set(key, value);
  }
  const text = next.toString();
  return placeOf(`/${name}${rest === '' ? '' : `/${encodeURIComponent(rest)}`}${text === '' ? '' : `?${text}`}`);
}
