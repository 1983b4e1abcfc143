import type { ComponentChildren } from 'preact';
import type { OfAccount, Purchase } from './answers.ts';
import { Ago, State } from './parts.tsx';
import { to } from './where.ts';
import { dollars } from './words.ts';

/** The newest purchases in brief, and where all of them are; `tail` is what stands last of each. */
export function NewestPurchases<Row extends Purchase | OfAccount<Purchase>>({
  rows,
  none,
  tail,
}: {
  rows: readonly Row[];
  none: string;
  tail: (row: Row) => ComponentChildren;
}) {
  return (
    <>
      {rows.length === 0 && <p class="note">{none}</p>}
      <ul class="rows">
        {rows.map((row) => {
          const of = 'account' in row ? row.account : undefined;
          return (
            <li key={`${of ?? ''} ${row.id}`}>
              <a class="name" href={to(`/purchase/${row.id}`, of)}>
                {row.marketHashName}
              </a>
              <span class="figure">{dollars(row.paid ?? row.priceWithFee)}</span>
              <span class="under">
                <State state={row.state} /> <Ago at={row.createdAt} /> · {tail(row)}
              </span>
            </li>
          );
        })}
      </ul>
      <p class="more">
        <a href={to('/purchases')}>All purchases</a>
      </p>
    </>
  );
}
