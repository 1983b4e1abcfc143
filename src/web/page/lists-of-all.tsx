import { computed } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { AlertLines } from './alerts.tsx';
import type { AlertRow, ListOfAll, OfAccount, Purchase } from './answers.ts';
import { Choice, Filters, Paging } from './filters.tsx';
import { everybody, purchasesVersion } from './live.ts';
import { Awaited, Card } from './parts.tsx';
import { PurchaseTable } from './purchases.tsx';
import { useAnswer } from './use-answer.ts';
import { to, view } from './where.ts';
import { count, counted, sentence, stateNames } from './words.ts';

/** Accounts that cannot be read and are named; nobody reads more. */
const NAMED = 5;

/** Where those of all accounts are listed of which nobody can say what became of them. */
export const UNCERTAIN = '/purchases?state=unknown';

const purchasesPath = computed(() => `api/purchases?${view.value.query.toString()}`);
const alertsPath = computed(() => `api/alerts?${view.value.query.toString()}`);

const isWhole = ({ looked, accounts }: ListOfAll): boolean => looked >= accounts;

/** The purchases of all accounts, in one list. */
export function PurchasesOfAll() {
  const answer = useAnswer<ListOfAll & { readonly purchases: readonly OfAccount<Purchase>[] }>(
    purchasesPath,
    purchasesVersion,
    isWhole,
  );
  return (
    <Card title="Purchases" wide note="Of all accounts, newest first">
      <Filters>
        <Choice name="state" label="State" all="all" options={stateNames} />
      </Filters>
      <Awaited answer={answer} none="Nothing.">
        {(list) => (
          <Page list={list} rows={list.purchases.length} none="No purchase fits.">
            <PurchaseTable rows={list.purchases} />
          </Page>
        )}
      </Awaited>
    </Card>
  );
}

/** The alerts of all accounts, in one list. */
export function AlertsOfAll() {
  const answer = useAnswer<ListOfAll & { readonly alerts: readonly OfAccount<AlertRow>[] }>(
    alertsPath,
    purchasesVersion,
    isWhole,
  );
  return (
    <Card title="Alerts" wide note="Of all accounts, of the last 30 days, newest first">
      <Awaited answer={answer} none="None.">
        {(list) => (
          <>
            <NotCertain />
            <Page list={list} rows={list.alerts.length} none="None.">
              <AlertLines rows={list.alerts} />
            </Page>
          </>
        )}
      </Awaited>
    </Card>
  );
}

/** What has been found by now, `rows` of it, between what there is to say of the list and the way on. */
function Page({ list, rows, none, children }: { list: ListOfAll; rows: number; none: string; children: ComponentChildren }) {
  return (
    <>
      <HowFar list={list} />
      {rows > 0 && children}
      {rows === 0 && isWhole(list) && <p class="note">{none}</p>}
      <Paging more={list.more} last={list.next ?? undefined} />
    </>
  );
}

function NotCertain() {
  const unknown = everybody.value?.accounts.reduce((sum, each) => sum + each.unknown, 0) ?? 0;
  if (unknown === 0) return null;
  return (
    <p>
      <a href={`#${UNCERTAIN}`}>{counted(unknown, 'purchase is', 'purchases are')} not certain</a>
    </p>
  );
}

/** Of how many accounts it is, while it is not of all, and which of them cannot be read. */
function HowFar({ list }: { list: ListOfAll }) {
  const { looked, accounts, unread } = list;
  return (
    <>
      <p class="note" role="status">
        {isWhole(list) ? '' : `Looked at ${count(looked)} of ${counted(accounts, 'account')} so far; the others follow.`}
      </p>
      {unread.slice(0, NAMED).map(({ account, why }) => (
        <p key={account} class="note warn-text">
          <a href={to('/', account)}>{account}</a> is missing: {sentence(why)}
        </p>
      ))}
      {unread.length > NAMED && (
        <p class="note warn-text">{counted(unread.length - NAMED, 'more account is', 'more accounts are')} missing.</p>
      )}
    </>
  );
}
