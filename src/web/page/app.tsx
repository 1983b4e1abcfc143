import type { ComponentChildren, FunctionComponent } from 'preact';
import { useEffect } from 'preact/hooks';
import { AllAccounts, AllPill } from './accounts.tsx';
import { Alerts, Reports } from './alerts.tsx';
import { entitle, focusOn, tell } from './browser.ts';
import { ChartsView } from './charts.tsx';
import { Decisions } from './decisions.tsx';
import { Glance } from './glance.tsx';
import { everybody, isStranger, leave, line, mayEnter, now, status, trouble } from './live.ts';
import { AlertsOfAll, PurchasesOfAll } from './lists-of-all.tsx';
import { Login } from './login.tsx';
import { OnePurchase, Purchases } from './purchases.tsx';
import { StopAllButton, StopButton, StopDialog } from './stop.tsx';
import { StrategiesView } from './strategies.tsx';
import { verdictOf } from './verdict.ts';
import { account, to, view } from './where.ts';
import { WhyView } from './why.tsx';

interface View {
  readonly title: string;
  readonly show: FunctionComponent;
}

const views: Readonly<Record<string, View>> = {
  '': { title: 'At a glance', show: Glance },
  purchases: { title: 'Purchases', show: Purchases },
  decisions: { title: 'Decisions', show: Decisions },
  strategies: { title: 'Strategies', show: StrategiesView },
  charts: { title: 'Charts', show: ChartsView },
  alerts: { title: 'Alerts', show: Alerts },
  why: { title: 'Why?', show: WhyView },
  reports: { title: 'Reports', show: Reports },
};

/** Those that no tab leads to, with the tab that they belong to. */
const hidden: Readonly<Record<string, View & { readonly of: string }>> = {
  purchase: { title: 'Purchase', show: OnePurchase, of: 'purchases' },
};

/** Of several accounts together. */
const viewsOfAll: Readonly<Record<string, View>> = {
  '': { title: 'Accounts', show: AllAccounts },
  purchases: { title: 'Purchases', show: PurchasesOfAll },
  alerts: { title: 'Alerts', show: AlertsOfAll },
  reports: { title: 'Reports', show: Reports },
};

export function App() {
  if (mayEnter.value === undefined) return <Opening />;
  if (!mayEnter.value) return <Login />;
  if (isStranger.value) return <Stranger />;
  // Where there is one account alone, how it does is known as soon as somebody may enter.
  if (account.value === undefined && status.value === undefined) return <Everyone />;
  return <Inside key={account.value} />;
}

/** Of several accounts together. */
function Everyone() {
  return <Frame views={viewsOfAll} pills={<AllPill />} button={<StopAllButton />} />;
}

function Inside() {
  return <Frame views={views} pills={<Pill />} button={<StopButton />} />;
}

function Stranger() {
  return (
    <main id="content" class="login">
      <h1>Magpie</h1>
      <p role="status">There is no account {account.value} here.</p>
      <p class="more">
        <a href="#/">All that there is</a>
      </p>
    </main>
  );
}

function Opening() {
  return (
    <main id="content" class="login">
      <h1>Magpie</h1>
      <p class="note" role="status">
        {line.value === 'lost' ? 'Magpie cannot be reached. It is tried again.' : 'One moment …'}
      </p>
    </main>
  );
}

interface Framed {
  readonly views: Readonly<Record<string, View>>;
  readonly pills: ComponentChildren;
  readonly button: ComponentChildren;
}

/** What stands around every view. */
function Frame({ views: all, pills, button }: Framed) {
  const { name } = view.value;
  const behind = all === views && Object.hasOwn(hidden, name) ? hidden[name] : undefined;
  const chosen = behind?.of ?? (Object.hasOwn(all, name) ? name : '');
  const { title, show: Show } = behind ?? all[chosen] ?? { title: '', show: () => null };
  useEffect(() => {
    entitle([title, ...(account.value === undefined ? [] : [account.value]), 'Magpie'].join(' · '));
    focusOn('content');
  }, [name]);
  return (
    <>
      <a class="skip" href="#content" onClick={(event) => (event.preventDefault(), focusOn('content'))}>
        To the content
      </a>
      <header>
        <div class="inner">
          <a class="brand" href="#/">
            Magpie
          </a>
          {pills}
          {button}
        </div>
        {account.value !== undefined && <Crumb name={account.value} />}
        <nav aria-label="Views">
          <ul>
            {Object.entries(all).map(([key, { title: words }]) => (
              <li key={key}>
                <a href={to(`/${key}`)} aria-current={key === chosen ? 'page' : undefined}>
                  {words}
                </a>
              </li>
            ))}
          </ul>
        </nav>
      </header>
      <Broken />
      <main id="content" tabIndex={-1}>
        <h1 class={chosen === '' ? 'unseen' : ''}>{title}</h1>
        <Show />
      </main>
      <Foot />
      <StopDialog />
    </>
  );
}

/** Which of several accounts this is, and the way back to all of them. */
function Crumb({ name }: { name: string }) {
  return (
    <p class="crumb">
      <a href="#/">All accounts</a> <span aria-hidden="true">›</span> <strong>{name}</strong>
    </p>
  );
}

/** The one word that is always in sight. */
function Pill() {
  const facts = status.value;
  if (facts === undefined) return null;
  const { tone } = verdictOf(facts, now.value);
  const word = facts.halted
    ? 'stopped'
    : tone === 'bad'
      ? 'not running'
      : tone === 'warn'
        ? 'waiting'
        : facts.mode === 'live'
          ? 'buying'
          : 'on paper';
  const money = facts.playMoney ? 'play money' : facts.mode === 'live' ? 'real money' : 'dry-run';
  return (
    <span class="pills">
      <span class={`pill ${tone}`}>{word}</span>
      <span class="pill plain">{money}</span>
    </span>
  );
}

/** Always there, so that nothing below it jumps when the line breaks. */
function Broken() {
  const words =
    line.value === 'lost'
      ? 'The connection to Magpie is broken. What you see may be old; it is tried again by itself.'
      : trouble.value === undefined
        ? ''
        : `What you see may be old: Magpie's own records cannot be read right now (${trouble.value}).`;
  return (
    <div class={words === '' ? 'broken' : 'broken lost'} role="status">
      {words}
    </div>
  );
}

function Foot() {
  const [facts, all] = [status.value, everybody.value];
  const signOut = async (): Promise<void> => {
    await tell('api/logout', {});
    leave();
  };
  return (
    <footer>
      <p>
        Magpie {facts?.daemon?.version ?? all?.version ?? ''} · <span class="path">{facts?.config ?? all?.config}</span>
      </p>
      <button type="button" class="link" onClick={() => void signOut()}>
        Sign out
      </button>
    </footer>
  );
}
