import { computed } from '@preact/signals';
import { evidenceKinds } from '../../domain/evidence-kind.ts';
import type { OfAccount, Purchase, PurchaseInFull } from './answers.ts';
import { Choice, Filters, Paging } from './filters.tsx';
import { now, purchasesVersion } from './live.ts';
import { Ago, Awaited, Card, Listing, Moment, State, Table } from './parts.tsx';
import { useAnswer } from './use-answer.ts';
import { to, view } from './where.ts';
import { dollars, moment, plain, stateNames, stateOf } from './words.ts';

const listPath = computed(() => `api/purchases?${view.value.query.toString()}`);

export function Purchases() {
  const answer = useAnswer<{ readonly purchases: readonly Purchase[]; readonly more: boolean }>(listPath, purchasesVersion);
  return (
    <Card title="Purchases" wide>
      <Filters>
        <Choice name="state" label="State" all="all" options={stateNames} />
      </Filters>
      <Awaited answer={answer} none="Nothing.">
        {({ purchases, more }) => (
          <>
            {purchases.length === 0 ? <p class="note">No purchase fits.</p> : <PurchaseTable rows={purchases} />}
            <Paging more={more} last={purchases.at(-1)?.id} />
          </>
        )}
      </Awaited>
    </Card>
  );
}

/** With the account of each where they are of several. */
export function PurchaseTable({ rows }: { rows: readonly (Purchase | OfAccount<Purchase>)[] }) {
  const isOfSeveral = rows.some((row) => 'account' in row);
  return (
    <Table
      label="Purchases, newest first"
      head={[
        ...(isOfSeveral ? ([['Account']] as const) : []),
        ...([['Item'], ['State'], ['Price', 'right'], ['Of Steam', 'right'], ['Market'], ['Strategy'], ['When']] as const),
      ]}
    >
      {rows.map((row) => (
        <tr key={'account' in row ? `${row.account} ${row.id}` : row.id}>
          {'account' in row && (
            <td class="account">
              <a href={to('/purchases', row.account)}>{row.account}</a>
            </td>
          )}
          <th scope="row">
            <a class="name" href={to(`/purchase/${row.id}`, 'account' in row ? row.account : undefined)}>
              {row.marketHashName}
            </a>
          </th>
          <td>
            <State state={row.state} />
          </td>
          <td class="right">{dollars(row.paid ?? row.priceWithFee)}</td>
          <td class="right">
            {row.steamPrice === null || row.steamPrice <= 0 ? '–' : `${Math.round((100 * row.priceWithFee) / row.steamPrice)} %`}
          </td>
          <td>{row.market}</td>
          <td>{row.strategy}</td>
          <td>
            <Ago at={row.createdAt} />
          </td>
        </tr>
      ))}
    </Table>
  );
}

const onePath = computed(() => `api/purchase?id=${encodeURIComponent(view.value.rest)}`);

/** Everything that is known of one purchase. */
export function OnePurchase() {
  const answer = useAnswer<PurchaseInFull>(onePath, purchasesVersion);
  return (
    <Awaited answer={answer} none="There is no such purchase.">
      {(purchase) => (
        <>
          <Card title={purchase.marketHashName} wide>
            <p>
              <State state={purchase.state} /> {stateOf(purchase.state).text}
            </p>
            {purchase.reason !== null && <p>{purchase.reason}</p>}
            <Facts purchase={purchase} />
          </Card>
          <Sentences title="What it is waiting for" sentences={purchase.awaited} />
          <Sentences title="What you may do" sentences={purchase.mayDo} />
          <Timeline purchase={purchase} />
        </>
      )}
    </Awaited>
  );
}

function Facts({ purchase }: { purchase: PurchaseInFull }) {
  const { times } = purchase;
  const facts: readonly (readonly [string, string])[] = [
    ['Number', String(purchase.id)],
    ['Price with fee', dollars(purchase.priceWithFee)],
    ['Debited', dollars(purchase.paid)],
    ['Came back', dollars(purchase.refunded)],
    ['Price on Steam then', dollars(purchase.steamPrice)],
    ['Wear', purchase.wear === null ? '–' : String(purchase.wear)],
    ['Pattern', purchase.paintSeed === null ? '–' : String(purchase.paintSeed)],
    ['Market', purchase.market],
    ['Strategy', purchase.mode === 'live' ? purchase.strategy : `${purchase.strategy} (on paper)`],
    ['Order', purchase.serviceOrderId === null ? '–' : `${purchase.serviceOrderId} ${purchase.orderStatus ?? ''}`],
    ['Written down', moment(times['committed'], now.value)],
    ['Sent, once', moment(times['sent'], now.value)],
    ['Answered', moment(times['answered'], now.value)],
  ];
  return (
    <>
      <dl class="facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <p class="more">
        <Listing id={purchase.listingId} name={`Why listing ${purchase.listingId} was bought`} />
      </p>
    </>
  );
}

function Sentences({ title, sentences }: { title: string; sentences: readonly string[] }) {
  if (sentences.length === 0) return null;
  return (
    <Card title={title} wide>
      <ul class="rows lines">
        {sentences.map((sentence) => (
          <li key={sentence}>{plain(sentence)}</li>
        ))}
      </ul>
    </Card>
  );
}

function Timeline({ purchase: { timeline, alerts } }: { purchase: PurchaseInFull }) {
  return (
    <Card title="What happened" wide>
      <ol class="timeline">
        {timeline.map(({ at, from, to, kind, note }, index) => (
          <li key={index}>
            <Moment at={at} />
            <span>
              {from === to ? '' : <State state={to} />} {note ?? evidenceKinds[kind] ?? kind}
            </span>
          </li>
        ))}
        {alerts.map(({ at, message, next }) => (
          <li key={`${at} ${message}`}>
            <Moment at={at} />
            <span>
              <span class="badge warn">alert</span> {message}
              {next === null ? '' : ` → ${plain(next)}`}
            </span>
          </li>
        ))}
      </ol>
    </Card>
  );
}
