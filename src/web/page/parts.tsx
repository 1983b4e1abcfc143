import type { ComponentChildren } from 'preact';
import type { Answer } from './use-answer.ts';
import { now } from './live.ts';
import { to } from './where.ts';
import { ago, moment, stateOf } from './words.ts';

type Children = { readonly children?: ComponentChildren };

export function Card({
  title,
  children,
  wide = false,
  note,
}: Children & { title: string; wide?: boolean; note?: string | undefined }) {
  const id = `card-${title.toLowerCase().replaceAll(/[^a-z]+/g, '-')}`;
  return (
    <section class={wide ? 'card wide' : 'card'} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {note !== undefined && <p class="note">{note}</p>}
      {children}
    </section>
  );
}

export function State({ state }: { state: string }) {
  const { name, tone, text } = stateOf(state);
  return (
    <span class={`badge ${tone}`} title={text}>
      {name}
    </span>
  );
}

/** How long ago; the exact moment for who points at it. */
export function Ago({ at }: { at: string | null | undefined }) {
  return (
    <time dateTime={at ?? undefined} title={moment(at, now.value)}>
      {ago(at, now.value)}
    </time>
  );
}

export function Moment({ at }: { at: string | null | undefined }) {
  return <time dateTime={at ?? undefined}>{moment(at, now.value)}</time>;
}

/** How full a limit is; said in words beside it, so that nobody needs the colour. */
export function Bar({ used, of, label }: { used: number; of: number; label: string }) {
  const share = of <= 0 ? 1 : used / of;
  const tone = share >= 1 ? 'bad' : share >= 0.8 ? 'warn' : 'good';
  const percent = Math.floor(Math.min(share, 9.99) * 100);
  return (
    <span class="bar">
      <progress class={tone} max={100} value={Math.min(100, percent)} aria-label={label} />
      <span class="figure">{percent} %</span>
    </span>
  );
}

export function Listing({ id, name }: { id: string; name: string }) {
  return (
    <a class="name" href={to(`/why/${encodeURIComponent(id)}`)} title={`Why listing ${id} was bought or not`}>
      {name}
    </a>
  );
}

/** What is shown while an answer is awaited, or where there is none. */
export function Awaited<T>({
  answer,
  none,
  children,
}: {
  answer: Answer<T>;
  none: string;
  children: (value: T) => ComponentChildren;
}) {
  if (answer.value !== undefined) return <>{children(answer.value)}</>;
  if (answer.status === 0 && answer.message === '') return <p class="note waiting">One moment …</p>;
  if (answer.status === 404) return <p class="note">{none}</p>;
  return <p class="note warn-text">That cannot be told just now{answer.message === '' ? '' : `: ${answer.message}`}.</p>;
}

export function Table({
  label,
  head,
  children,
}: Children & { label: string; head: readonly (readonly [string, ('right' | 'left')?])[] }) {
  return (
    <div class="scroll" role="region" aria-label={label} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {head.map(([title, align = 'left']) => (
              <th key={title} scope="col" class={align}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}
