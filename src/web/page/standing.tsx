import type { Cap, Status } from './answers.ts';
import { Ago, Bar, Card } from './parts.tsx';
import { to } from './where.ts';
import { capName, count, counted, dollars, plain, sentence } from './words.ts';

export function Limits({ facts }: { facts: Status }) {
  const account = facts.caps.filter(({ of }) => of === 'account');
  const others = facts.caps.filter(({ of, used, cap }) => of !== 'account' && cap !== null && used > 0);
  const fullest = others.toSorted((one, other) => shareOf(other) - shareOf(one)).slice(0, 6);
  return (
    <Card title="Limits" note="How much of each is used">
      <ul class="limits">
        {[...account, ...fullest].map((cap) => (
          <li key={`${cap.of} ${cap.name ?? ''} ${cap.key}`}>
            <span class="name">{capName(cap)}</span>
            <span class="figure">
              {amount(cap, cap.used)}
              {cap.cap === null ? '' : ` of ${amount(cap, cap.cap)}`}
            </span>
            {cap.cap === null ? (
              <span class="note under">no limit</span>
            ) : (
              <Bar used={cap.used} of={cap.cap} label={capName(cap)} />
            )}
          </li>
        ))}
      </ul>
      {facts.reserved > 0 && <p class="note">{dollars(facts.reserved)} are reserved for purchases that are not certain yet.</p>}
    </Card>
  );
}

function shareOf({ used, cap }: Cap): number {
  return cap === null || cap === 0 ? 1 : used / cap;
}

function amount({ unit }: Cap, value: number): string {
  return unit === 'dollars' ? dollars(value) : count(value);
}

export function Markets({ facts }: { facts: Status }) {
  const { health } = facts;
  return (
    <Card title="Markets">
      {health === null && <p class="note">Their health is not known while Magpie does not run, or has only just started.</p>}
      {health?.message !== null && health !== null && <p class="warn-text">{sentence(health.message)}</p>}
      <ul class="rows">
        {Object.entries(health?.markets ?? {}).map(([name, { buyable, why, status: said }]) => (
          <li key={name}>
            <span class="name">{name}</span>
            <span class={`badge ${buyable ? 'good' : 'warn'}`}>{buyable ? 'buys there' : 'does not buy there'}</span>
            <span class="under">
              {why === null ? `the service calls it ${said ?? 'nothing'}` : why === health?.message ? '' : why}
            </span>
          </li>
        ))}
      </ul>
      {facts.badListings.count > 0 && (
        <p class="note">
          {counted(facts.badListings.count, 'listing')} cannot be judged and {facts.badListings.count === 1 ? 'is' : 'are'} never
          bought
          {facts.badListings.example === null ? '' : `, such as ${facts.badListings.example}`}.
        </p>
      )}
    </Card>
  );
}

export function NewestAlerts({ facts }: { facts: Status }) {
  return (
    <Card title="Newest alerts">
      {facts.alerts.length === 0 && <p class="note">None in the last seven days.</p>}
      <ul class="rows lines">
        {facts.alerts.slice(0, 3).map((alert) => (
          <li key={`${alert.at} ${alert.message}`}>
            {alert.message}
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
