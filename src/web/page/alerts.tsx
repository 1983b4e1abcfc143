import { signal } from '@preact/signals';
import type { AlertRow, OfAccount, ReportRow } from './answers.ts';
import { purchasesVersion, status } from './live.ts';
import { half } from './pulse.ts';
import { Ago, Awaited, Card, Moment } from './parts.tsx';
import { useAnswer } from './use-answer.ts';
import { asked, option, to } from './where.ts';
import { dollars, plain } from './words.ts';

const path = signal('api/alerts');

/** What nobody can say yet, and what a person should know; each with what to do. */
export function Alerts() {
  const answer = useAnswer<readonly AlertRow[]>(path, purchasesVersion);
  return (
    <>
      <NotCertain />
      <Card title="Alerts" wide note="Of the last 30 days, newest first">
        <Awaited answer={answer} none="None.">
          {(rows) => (rows.length === 0 ? <p class="note">None.</p> : <AlertLines rows={rows} />)}
        </Awaited>
      </Card>
    </>
  );
}

/** With the account of each where they are of several. */
export function AlertLines({ rows }: { rows: readonly (AlertRow | OfAccount<AlertRow>)[] }) {
  return (
    <ol class="timeline">
      {rows.map((alert) => {
        const of = 'account' in alert ? alert.account : undefined;
        return (
          <li key={`${of ?? ''} ${alert.at} ${alert.message}`}>
            <Moment at={alert.at} />
            <span>
              {of !== undefined && (
                <>
                  <a href={to('/alerts', of)}>{of}</a>:{' '}
                </>
              )}
              {alert.purchaseId === null ? alert.message : <a href={to(`/purchase/${alert.purchaseId}`, of)}>{alert.message}</a>}
              {alert.next !== null && <span class="under">What to do: {plain(alert.next)}</span>}
            </span>
          </li>
        );
      })}
    </ol>
  );
}

function NotCertain() {
  const unknown = status.value?.unknown ?? [];
  return (
    <Card title="Purchases that are not certain" wide>
      {unknown.length === 0 && <p class="note">None: of every purchase it is known what became of it.</p>}
      {unknown.map((purchase) => (
        <article key={purchase.id} class="doubt">
          <h3>
            <a href={to(`/purchase/${purchase.id}`)}>{purchase.marketHashName}</a> for {dollars(purchase.priceWithFee)},{' '}
            <Ago at={purchase.createdAt} />
          </h3>
          {purchase.reason !== null && <p>{purchase.reason}</p>}
          <ul>
            {purchase.awaited.map((sentence) => (
              <li key={sentence}>{plain(sentence)}</li>
            ))}
          </ul>
          <p class="note">
            Nothing needs to be done. If you see at the service what became of it, say so at a terminal:{' '}
            <code>
              magpie resolve {purchase.id} --as bought|not-bought --reason "what you saw"{option()}
            </code>
          </p>
        </article>
      ))}
    </Card>
  );
}

const reportsPath = signal('api/reports');

/** Reports of backtests that lie in the data folder. */
export function Reports() {
  const answer = useAnswer<readonly ReportRow[]>(reportsPath, half);
  return (
    <Card
      title="Reports"
      wide
      note="Reports of backtests that lie in the data folder. Each opens in a window of its own, shut off from this page."
    >
      <Awaited answer={answer} none="None.">
        {(rows) => (
          <>
            {rows.length === 0 && (
              <p class="note">None yet. Put the HTML file of a report into the data folder, and it is listed here.</p>
            )}
            <ul class="rows">
              {rows.map(({ name, bytes, at }) => (
                <li key={name}>
                  <a class="name" href={asked(`reports/${encodeURIComponent(name)}`)} target="_blank" rel="noreferrer">
                    {name}
                  </a>
                  <span class="figure">{Math.ceil(bytes / 1_000)} kB</span>
                  <span class="under">
                    <Moment at={at} />
                  </span>
                </li>
              ))}
            </ul>
          </>
        )}
      </Awaited>
    </Card>
  );
}
