import type { Fault } from '../domain/fault.ts';
import { nearest } from '../domain/nearest.ts';
import { foldCase } from '../domain/text.ts';
import type { ReadRequest, Service } from '../engine/ports.ts';

/** What an item id looks like. */
export const itemIdPattern = /^[0-9a-f]{16}$/;

export type Resolved =
  | {
      readonly ok: true;
      /** undefined: no item, or several. */
      readonly itemId: string | undefined;
      /** In words for a person; undefined where there is one. */
      readonly problem: string | undefined;
      /** Names that were found, or the ids, where there is none or more than one. */
      readonly near: readonly string[];
    }
  | { readonly ok: false; readonly fault: Fault };

/** Results of a search that are looked through. */
const FOUND_MAX = 100;
const NEAR_SHOWN = 3;

/** Finds the one item of a name by the service's search. Never rejects. */
export async function resolveItem(
  service: Service,
  name: string,
  request: Pick<ReadRequest<'search'>, 'signal' | 'urgency'>,
): Promise<Resolved> {
  const reply = await service.read('search', { ...request, query: { q: name, start: 1, end: FOUND_MAX } });
  if (!reply.ok) return { ok: false, fault: reply.fault };
  const { items } = reply.data;
  const wanted = foldCase(name);
  const ids = [...new Set(items.flatMap(({ id, marketHashName }) => (foldCase(marketHashName) === wanted ? [id] : [])))];
  if (ids.length === 1) return { ok: true, itemId: ids[0], problem: undefined, near: [] };
  if (ids.length > 1)
    return { ok: true, itemId: undefined, problem: `${ids.length} items have this name: write the id of one`, near: ids };
  const none = { ok: true, itemId: undefined, problem: 'no item has this name' } as const;
  if (items.length > 0) return { ...none, near: namesNear(name, items) };
  // A mistyped name finds nothing at all. What stands before the finish is short, and mostly right.
  const word =
    name
      .split('|')[0]
      ?.replace(/[★™]|StatTrak|Souvenir/gu, '')
      .trim() ?? name;
  const wider = await service.read('search', { ...request, query: { q: word, start: 1, end: FOUND_MAX } });
  return { ...none, near: wider.ok ? namesNear(name, wider.data.items) : [] };
}

/** The nearest by letters first, then what the service itself has found. */
function namesNear(name: string, items: readonly { readonly marketHashName: string }[]): readonly string[] {
  const names = [...new Set(items.map(({ marketHashName }) => marketHashName))];
  const best = nearest(name, names);
  return [...new Set([...(best === undefined ? [] : [best]), ...names])].slice(0, NEAR_SHOWN);
}
