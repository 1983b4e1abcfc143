import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { goTo } from './browser.ts';
import { narrowed, view } from './where.ts';

/** A choice that narrows what is shown; the address keeps it, so that it can be kept and sent. */
export function Choice({
  name,
  label,
  all,
  options,
}: {
  name: string;
  label: string;
  all: string;
  options: readonly (readonly [string, string])[];
}) {
  return (
    <label>
      {label}
      <select
        value={view.value.query.get(name) ?? ''}
        onChange={(event) => goTo(narrowed({ [name]: event.currentTarget.value, before: '' }))}
      >
        <option value="">{all}</option>
        {options.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

export function Filters({
  children,
  label = "Item's name, or a listing's number",
}: {
  children: ComponentChildren;
  label?: string;
}) {
  const words = useSignal(view.value.query.get('words') ?? '');
  return (
    <form
      class="filters"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        goTo(narrowed({ words: words.value.trim(), before: '' }));
      }}
    >
      <label class="grows">
        {label}
        <input type="search" value={words.value} maxLength={200} onInput={(event) => (words.value = event.currentTarget.value)} />
      </label>
      {children}
      <button type="submit">Search</button>
    </form>
  );
}

/** Steps to older rows, and back to the newest. */
export function Paging({ more, last }: { more: boolean; last: number | string | undefined }) {
  const isOlder = view.value.query.has('before');
  if (!more && !isOlder) return null;
  return (
    <p class="paging">
      {isOlder && <a href={`#${narrowed({ before: '' })}`}>Newest</a>}
      {more && last !== undefined && <a href={`#${narrowed({ before: String(last) })}`}>Older</a>}
    </p>
  );
}
