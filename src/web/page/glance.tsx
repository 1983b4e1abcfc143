import { signal } from '@preact/signals';
import type { Purchase, Status } from './answers.ts';
import { justDecided, now, purchasesVersion, status } from './live.ts';
import { NewestPurchases } from './newest-purchases.tsx';
import { Card, Listing, Moment } from './parts.tsx';
import { Limits, Markets, NewestAlerts } from './standing.tsx';
import { StopCard } from './stop.tsx';
import { useAnswer } from './use-answer.ts';
import { to } from './where.ts';
import { ago, count, counted, dollars, plain, reasonName } from './words.ts';
import { verdictOf, waitingFor } from './verdict.ts';

/** What a person who looks in once a day wants to know, in that order. */
export function Glance() {
  const facts = status.value;
  if (facts === undefined) return <p class="note waiting">One moment …</p>;
  return (
    <>
      <Verdict facts={facts} />
      <Figures facts={facts} />
      <div class="grid">
        <Bought facts={facts} />
        <NotBought facts={facts} />
        <div class="stack">
          <Waiting facts={facts} />
          <StopCard />
        </div>
        <Limits facts={facts} />
        <div class="stack">
          <Markets facts={facts} />
          <NewestAlerts facts={facts} />
        </div>
        <JustNow />
      </div>
    </>
  );
}

function Verdict({ facts }: { facts: Status }) {
  const { tone, title, words, next } = verdictOf(facts, now.value);
  return (
    <section class={`verdict ${tone}`} aria-label="Whether it buys">
      <p class="headline" role="status">
        {title}
      </p>
      {words !== undefined && <p>{words}</p>}
      {next !== undefined && <p class="next">{next}</p>}
    </section>
  );
}

function Figures({ facts }: { facts: Status }) {
  const { today, balance, free, reserve, lastPollAt, daemon, mode } = facts;
  const day = facts.caps.find(({ key, of }) => of === 'account' && key === 'limits.spend.day');
  const paper = mode === 'live' ? '' : ' on paper';
  return (
    <dl class="figures">
      <div>
        <dt>Bought{paper}, last 24 h</dt>
        <dd>{count(today.purchases)}</dd>
        <dd class="note">
          {today.lost === 0 ? 'none refused by the service' : `${counted(today.lost, 'more')} refused by the service`}
        </dd>
      </div>
      <div>
        <dt>Spent{paper}, last 24 h</dt>
        <dd>{dollars(day?.used ?? today.spent)}</dd>
        <dd class="note">{day?.cap === null || day === undefined ? 'no limit for a day' : `of ${dollars(day.cap)} allowed`}</dd>
      </div>
      <div>
        <dt>Balance</dt>
        <dd>{dollars(balance)}</dd>
        <dd class="note">{free === null ? 'not read yet' : `${dollars(Math.max(0, free - reserve))} free to spend`}</dd>
      </div>
      <div>
        <dt>Market last seen whole</dt>
        <dd>{ago(lastPollAt, now.value)}</dd>
        <dd class="note">
          {counted(daemon?.listings ?? 0, 'listing')}, {count(daemon?.matching ?? 0)} wanted
        </dd>
      </div>
    </dl>
  );
}

const newestPath = signal('api/purchases');

function Bought({ facts }: { facts: Status }) {
  const answer = useAnswer<{ readonly purchases: readonly Purchase[] }>(newestPath, purchasesVersion);
  const rows = answer.value?.purchases.filter(({ state }) => state !== 'rejected' && state !== 'expired').slice(0, 6) ?? [];
  return (
    <Card title={facts.mode === 'live' ? 'What it bought' : 'What it would have bought'}>
      <NewestPurchases
        rows={rows}
        none={answer.value === undefined ? 'One moment …' : 'Nothing so far.'}
        tail={({ strategy }) => strategy}
      />
    </Card>
  );
}

function NotBought({ facts }: { facts: Status }) {
  const { refusals, whole } = facts.today;
  return (
    <Card
      title="What it did not buy, and why"
      note={whole ? 'Wanted by a strategy in the last 24 hours' : 'Of the newest decisions'}
    >
      {refusals.length === 0 && <p class="note">Whatever a strategy wanted was bought.</p>}
      <ul class="rows">
        {refusals.slice(0, 6).map(({ reason, text, count: times }) => (
          <li key={reason}>
            <a
              class="name"
              href={to(`/decisions?reason=${encodeURIComponent(reason)}`)}
              title={text === null ? undefined : plain(text)}
            >
              {reasonName(reason)}
            </a>
            <span class="figure">{count(times)}</span>
          </li>
        ))}
      </ul>
      <p class="more">
        <a href={to('/decisions?verdict=refused')}>All decisions</a> ·{' '}
        <a href={to('/strategies')}>what strategies narrowly missed</a>
      </p>
    </Card>
  );
}

function Waiting({ facts }: { facts: Status }) {
  return (
    <Card title="What it is waiting for">
      <ul class="rows lines">
        {waitingFor(facts).map(({ key, words, href }) => (
          <li key={key}>{href === undefined ? words : <a href={href}>{words}</a>}</li>
        ))}
      </ul>
    </Card>
  );
}

function JustNow() {
  const rows = justDecided.value;
  return (
    <Card title="Just now" note="The newest decisions, as they are made">
      {rows.length === 0 && <p class="note">None since this page was opened.</p>}
      <ul class="rows steady">
        {rows.slice(0, 5).map((row) => (
          <li key={row.id}>
            <Listing id={row.listingId} name={row.marketHashName} />
            <span class="figure">{dollars(row.priceWithFee)}</span>
            <span class="under">
              {row.verdict === 'admitted' ? 'wanted, and allowed' : `not bought: ${reasonName(row.reason)}`} ·{' '}
              <Moment at={row.at} />
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
