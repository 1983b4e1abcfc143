import { computed, signal } from '@preact/signals';
import type { Decision, Strategies } from './answers.ts';
import { Choice, Filters, Paging } from './filters.tsx';
import { decidedCount, decisionsVersion, status } from './live.ts';
import { Awaited, Card, Listing, Moment, Table } from './parts.tsx';
import { useAnswer } from './use-answer.ts';
import { view } from './where.ts';
import { count, dollars, plain, reasonName } from './words.ts';

const path = computed(() => `api/decisions?${view.value.query.toString()}`);
const strategiesPath = signal('api/strategies');
/** Older rows change no more. */
const still = signal(0);

export function Decisions() {
  const isOlder = view.value.query.has('before');
  const answer = useAnswer<{ readonly decisions: readonly Decision[]; readonly more: boolean }>(
    path,
    isOlder ? still : decisionsVersion,
  );
  const strategies = useAnswer<Strategies>(strategiesPath).value?.strategies ?? [];
  const reasons = status.value?.today.refusals.map(({ reason }) => [reason, reasonName(reason)] as const) ?? [];
  return (
    <Card title="Decisions" wide note="One for each listing that a strategy wanted: whether it might be bought, and if not, why">
      <Filters>
        <Choice
          name="verdict"
          label="Verdict"
          all="all"
          options={[
            ['admitted', 'allowed'],
            ['refused', 'not bought'],
          ]}
        />
        <Choice name="reason" label="Reason" all="all" options={withChosen(reasons, 'reason')} />
        <Choice
          name="strategy"
          label="Strategy"
          all="all"
          options={withChosen(
            strategies.map(({ name }) => [name, name] as const),
            'strategy',
          )}
        />
      </Filters>
      <p class="note">{isOlder ? 'Older decisions.' : `Live: ${count(decidedCount.value)} since this page was opened.`}</p>
      <Awaited answer={answer} none="Nothing.">
        {({ decisions, more }) => (
          <>
            {decisions.length === 0 ? <p class="note">No decision fits.</p> : <DecisionTable rows={decisions} />}
            <Paging more={more} last={decisions.at(-1)?.id} />
          </>
        )}
      </Awaited>
    </Card>
  );
}

/** What is chosen can be seen, even where it is not among today's. */
function withChosen(options: readonly (readonly [string, string])[], name: string): readonly (readonly [string, string])[] {
  const chosen = view.value.query.get(name);
  if (chosen === null || options.some(([value]) => value === chosen)) return options;
  return [...options, [chosen, name === 'reason' ? reasonName(chosen) : chosen]];
}

export function DecisionTable({ rows }: { rows: readonly Decision[] }) {
  return (
    <Table label="Decisions, newest first" head={[['Item'], ['What was decided'], ['Price', 'right'], ['Strategy'], ['When']]}>
      {rows.map((row, index) => (
        <tr key={row.id ?? index}>
          <th scope="row">
            <Listing id={row.listingId} name={row.marketHashName} />
          </th>
          <td title={row.text === null || row.text === undefined ? undefined : plain(row.text)}>
            {row.verdict === 'admitted' ? (
              <span class="badge good">allowed</span>
            ) : (
              <span class="badge plain">{reasonName(row.reason)}</span>
            )}
            {row.detail !== null && <span class="under">{plain(row.detail)}</span>}
          </td>
          <td class="right">{dollars(row.priceWithFee)}</td>
          <td>{row.strategy}</td>
          <td>
            <Moment at={row.at} />
          </td>
        </tr>
      ))}
    </Table>
  );
}
