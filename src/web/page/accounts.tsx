import { useSignal } from '@preact/signals';
import type { AccountLine, Everybody } from './answers.ts';
import { Choice, Filters } from './filters.tsx';
import { everybody, now } from './live.ts';
import { NewestPurchases } from './newest-purchases.tsx';
import { Ago, Bar, Card, Table } from './parts.tsx';
import { UNCERTAIN } from './lists-of-all.tsx';
import { StopAllCard } from './stop.tsx';
import { stateWords, verdictOfAll } from './verdict-all.ts';
import { to, view } from './where.ts';
import { ago, count, counted, dollars, plain, sentence } from './words.ts';

/** Lines that are shown at once: nobody reads more, and a browser with thousands of them is slow. */
const SHOWN = 100;

/** All accounts together: how the whole does, and a line of each that leads to it. */
export function AllAccounts() {
  const all = everybody.value;
  if (all === undefined) return <p class="note waiting">One moment …</p>;
  return (
    <>
      <Whole all={all} />
      <Sums all={all} />
      <Lines all={all} />
      <div class="grid below">
        <Bought all={all} />
        <Newest all={all} />
        <StopAllCard />
      </div>
    </>
  );
}

/** The one word that is always in sight. */
export function AllPill() {
  const all = everybody.value;
  if (all === undefined) return null;
  const { tone, pill } = verdictOfAll(all, now.value);
  const live = all.accounts.some(({ mode }) => mode === 'live');
  return (
    <span class="pills">
      <span class={`pill ${tone}`}>{pill}</span>
      <span class="pill plain">{all.playMoney ? 'play money' : live ? 'real money' : 'dry-run'}</span>
    </span>
  );
}

function Whole({ all }: { all: Everybody }) {
  const { tone, title, words } = verdictOfAll(all, now.value);
  return (
    <section class={`verdict ${tone}`} aria-label="Whether they buy">
      <p class="headline" role="status">
        {title}
      </p>
      {words.length > 0 && (
        <ul class="states">
          {words.map(({ state, words: text }) => (
            <li key={state}>
              <a href={`#/?state=${state}`}>{text}</a>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** Paper is added to paper, and money to money: where both are there, money is shown. */
function Sums({ all: { accounts, lastPollAt, listings } }: { all: Everybody }) {
  const live = accounts.filter(({ mode }) => mode === 'live');
  const counted24 = live.length > 0 ? live : accounts;
  const paper = accounts.length - live.length;
  const spent = counted24.reduce((sum, { spentDay }) => sum + spentDay, 0);
  const read = accounts.filter(({ balance }) => balance !== null);
  const unknown = accounts.reduce((sum, each) => sum + each.unknown, 0);
  const spentNote = live.length === 0 ? 'on paper' : paper === 0 ? 'of all accounts' : `and ${paper} on paper, not counted here`;
  return (
    <dl class="figures">
      <div>
        <dt>Spent, last 24 h</dt>
        <dd>{dollars(rounded(spent))}</dd>
        <dd class="note">{spentNote}</dd>
      </div>
      <div>
        <dt>Balances</dt>
        <dd>{read.length === 0 ? '–' : dollars(rounded(read.reduce((sum, { balance }) => sum + (balance ?? 0), 0)))}</dd>
        <dd class="note">
          {read.length === accounts.length ? 'of all accounts' : `of ${count(read.length)} whose balance is read`}
        </dd>
      </div>
      <div>
        <dt>Not certain</dt>
        <dd>{unknown === 0 ? '0' : <a href={`#${UNCERTAIN}`}>{count(unknown)}</a>}</dd>
        <dd class="note">{unknown === 0 ? 'of every purchase it is known' : 'purchases, whose money stays reserved'}</dd>
      </div>
      <div>
        <dt>Market last seen whole</dt>
        <dd>{ago(lastPollAt, now.value)}</dd>
        <dd class="note">{counted(listings, 'listing')}, read once for all</dd>
      </div>
    </dl>
  );
}

/** Sums of dollars as numbers end in crumbs. */
function rounded(amount: number): number {
  return Math.round(amount * 100) / 100;
}

function Lines({ all: { accounts } }: { all: Everybody }) {
  const more = useSignal(SHOWN);
  const words = view.value.query.get('words')?.toLowerCase() ?? '';
  const state = view.value.query.get('state') ?? '';
  const fitting = accounts.filter((row) => row.name.includes(words) && (state === '' || row.state === state));
  const rows = fitting.slice(0, more.value);
  return (
    <Card title="Accounts" wide>
      {accounts.length > 5 && (
        <Filters label="Name of an account">
          <Choice
            name="state"
            label="State"
            all="all"
            options={Object.entries(stateWords).map(([key, { name }]) => [key, name])}
          />
        </Filters>
      )}
      {rows.length === 0 && <p class="note">No account fits.</p>}
      {rows.length > 0 && (
        <Table
          label="A line an account"
          head={[
            ['Account'],
            ['State'],
            ['Spent of its fullest limit'],
            ['Balance', 'right'],
            ['Not certain', 'right'],
            ['Alerts, 7 days', 'right'],
            ['Market seen'],
          ]}
        >
          {rows.map((row) => (
            <Line key={row.name} row={row} />
          ))}
        </Table>
      )}
      {(fitting.length > rows.length || fitting.length < accounts.length) && (
        <p class="paging">
          <span class="note">
            {count(rows.length)} of {counted(accounts.length, 'account')}
          </span>
          {fitting.length < accounts.length && <a href="#/">Show all</a>}
          {fitting.length > rows.length && (
            <button type="button" class="link" onClick={() => (more.value += SHOWN)}>
              Show more
            </button>
          )}
        </p>
      )}
    </Card>
  );
}

function Line({ row }: { row: AccountLine }) {
  const { name: word, tone } = stateWords[row.state];
  return (
    <tr>
      <th scope="row">
        <a class="name" href={to('/', row.name)}>
          {row.name}
        </a>
      </th>
      <td class="state">
        <span class={`badge ${tone}`}>{word}</span>
        {row.why !== null && <span class="under">{sentence(row.why)}</span>}
      </td>
      <td class="spend">
        <Spend row={row} />
      </td>
      <td class="right">{dollars(row.balance)}</td>
      <td class="right">{row.unknown === 0 ? '–' : <a href={to('/alerts', row.name)}>{count(row.unknown)}</a>}</td>
      <td class="right">
        {row.alerts === 0 ? '–' : <a href={to('/alerts', row.name)}>{row.alerts > 99 ? '99+' : row.alerts}</a>}
      </td>
      <td>
        <Ago at={row.lastPollAt} />
      </td>
    </tr>
  );
}

function Spend({ row: { spend, spentDay, name, state } }: { row: AccountLine }) {
  if (state === 'unseen' || state === 'unread') return <>–</>;
  const [fullest] = spend.toSorted((one, other) => shareOf(other) - shareOf(one));
  if (fullest === undefined) return <>{dollars(spentDay)} in 24 h, no limit</>;
  const { window, used, cap } = fullest;
  const words = `${dollars(used)} of ${dollars(cap)} ${windowWords[window] ?? window}`;
  return (
    <>
      {words}
      <Bar used={used} of={cap} label={`${name}: ${words}`} />
    </>
  );
}

const windowWords: Readonly<Record<string, string>> = { hour: 'in 1 h', day: 'in 24 h', total: 'in all' };

function shareOf({ used, cap }: { readonly used: number; readonly cap: number }): number {
  return cap === 0 ? 1 : used / cap;
}

function Newest({ all: { alerts } }: { all: Everybody }) {
  return (
    <Card title="Newest alerts">
      {alerts.length === 0 && <p class="note">None in the last seven days.</p>}
      <ul class="rows lines">
        {alerts.map((alert) => (
          <li key={`${alert.account} ${alert.at} ${alert.message}`}>
            <a href={to('/alerts', alert.account)}>{alert.account}</a>: {alert.message}
            <span class="under">
              <Ago at={alert.at} />
              {alert.next === null ? '' : ` → ${plain(alert.next)}`}
            </span>
          </li>
        ))}
      </ul>
      <p class="more">
        <a href={to('/alerts')}>All alerts</a>
      </p>
    </Card>
  );
}

function Bought({ all: { purchases } }: { all: Everybody }) {
  return (
    <Card title="Newest purchases">
      <NewestPurchases
        rows={purchases}
        none="None so far."
        tail={({ account }) => <a href={to('/purchases', account)}>{account}</a>}
      />
    </Card>
  );
}
