import { signal } from '@preact/signals';
import type { Charts, Day } from './answers.ts';
import { half } from './pulse.ts';
import { Awaited, Card, Table } from './parts.tsx';
import { Bars, Dots, Lines } from './drawings.tsx';
import { useAnswer } from './use-answer.ts';
import { causeName, count, dayName, dollars, duration } from './words.ts';

const path = signal('api/charts');

export function ChartsView() {
  const answer = useAnswer<Charts>(path, half);
  return (
    <Awaited answer={answer} none="Nothing.">
      {(charts) => (
        <div class="grid charts">
          <Spend days={charts.days} />
          <Value days={charts.days} />
          <Won charts={charts} />
          <Reactions charts={charts} />
          <Figures days={charts.days} />
        </div>
      )}
    </Awaited>
  );
}

function Spend({ days }: { days: readonly Day[] }) {
  const total = days.reduce((sum, { spent }) => sum + spent, 0);
  return (
    <Card title="Spent by day" note={`${dollars(round(total))} in 30 days (UTC)`}>
      <Bars
        label={`Spent on each of 30 days, ${dollars(round(total))} in all`}
        columns={days.map(({ day, spent }) => ({
          name: dayName(day),
          parts: [{ value: spent, tone: 'one' }],
          words: dollars(spent),
        }))}
        amount={(value) => `$${count(value)}`}
      />
    </Card>
  );
}

/** What was bought so far, and what Steam asked for the same things when they were bought. */
function Value({ days }: { days: readonly Day[] }) {
  const sums = (of: (day: Day) => number): readonly number[] => {
    let total = 0;
    return days.map((day) => (total += of(day)));
  };
  const [paid, steam] = [sums(({ pricedSpent }) => pricedSpent), sums((day) => day.steam)];
  const [paidNow, steamNow] = [paid.at(-1) ?? 0, steam.at(-1) ?? 0];
  return (
    <Card
      title="Paid, and worth on Steam"
      note={`${dollars(round(paidNow))} paid for what Steam asked ${dollars(round(steamNow))} for, before Steam's fee`}
    >
      <Lines
        label={`Over 30 days ${dollars(round(paidNow))} were paid for what stood at ${dollars(round(steamNow))} on Steam`}
        names={days.map(({ day }) => dayName(day))}
        lines={[
          { name: 'worth on Steam', tone: 'two', values: steam },
          { name: 'paid', tone: 'one', values: paid },
        ]}
        amount={(value) => `$${count(value)}`}
      />
    </Card>
  );
}

function Won({ charts: { days, lostTo } }: { charts: Charts }) {
  const won = days.reduce((sum, day) => sum + day.won, 0);
  const lost = days.reduce((sum, day) => sum + day.lost, 0);
  return (
    <Card title="Won and lost" note={`${count(won)} bought, ${count(lost)} refused by the service in 30 days`}>
      <Bars
        label={`${won} purchases were won and ${lost} lost in 30 days`}
        columns={days.map((day) => ({
          name: dayName(day.day),
          parts: [
            { value: day.won, tone: 'one' },
            { value: day.lost, tone: 'lost' },
          ],
          words: `${day.won} won, ${day.lost} lost`,
        }))}
        amount={count}
      />
      <p class="note">
        {lostTo.length === 0
          ? 'None was lost.'
          : `Lost: ${lostTo.map(({ cause, count: times }) => `${count(times)} × ${causeName(cause)}`).join(', ')}.`}
      </p>
    </Card>
  );
}

function Reactions({ charts: { reactions } }: { charts: Charts }) {
  const own = reactions.map(({ ownMs }) => ownMs).toSorted((one, other) => one - other);
  const middle = own[Math.floor(own.length / 2)];
  return (
    <Card
      title="Reaction times"
      note={
        middle === undefined
          ? 'Nothing was sent yet'
          : `Half of the newest ${count(own.length)} left within ${duration(middle)} of being seen`
      }
    >
      {middle !== undefined && (
        <Dots
          label={`Milliseconds from a listing's bytes to its request, of ${own.length} purchases, oldest left; half within ${duration(middle)}`}
          values={reactions.map(({ ownMs }) => ownMs)}
          amount={duration}
        />
      )}
      <p class="note">
        From the bytes that show a listing to the request for it, oldest left. The way to the service is not in it.
      </p>
    </Card>
  );
}

/** The same as numbers, for whoever would rather read. */
function Figures({ days }: { days: readonly Day[] }) {
  return (
    <section class="card wide">
      <details>
        <summary>The figures as a table</summary>
        <Table
          label="Figures by day"
          head={[
            ['Day'],
            ['Spent', 'right'],
            ['With a price on Steam', 'right'],
            ['Worth there', 'right'],
            ['Won', 'right'],
            ['Lost', 'right'],
          ]}
        >
          {days.toReversed().map((day) => (
            <tr key={day.day}>
              <th scope="row">{day.day}</th>
              <td class="right">{dollars(day.spent)}</td>
              <td class="right">{dollars(day.pricedSpent)}</td>
              <td class="right">{dollars(day.steam)}</td>
              <td class="right">{count(day.won)}</td>
              <td class="right">{count(day.lost)}</td>
            </tr>
          ))}
        </Table>
      </details>
    </section>
  );
}

/** Sums of doubles, back to the cents that they stand for. */
function round(value: number): number {
  return Math.round(value * 100) / 100;
}
