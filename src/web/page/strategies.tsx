import { signal } from '@preact/signals';
import type { Figures, Strategies, StrategyRow } from './answers.ts';
import { half } from './pulse.ts';
import { Awaited, Card, Listing, Table } from './parts.tsx';
import { useAnswer } from './use-answer.ts';
import { count, dollars } from './words.ts';

const path = signal('api/strategies');

export function StrategiesView() {
  const answer = useAnswer<Strategies>(path, half);
  return (
    <Awaited answer={answer} none="Nothing.">
      {(all) => (
        <>
          <Card title="Strategies" wide note={noteOf(all)}>
            <Table
              label="Strategies, by priority"
              head={[
                ['Strategy'],
                ['Found today', 'right'],
                ['Bought today', 'right'],
                ['Spent today', 'right'],
                ['Found, 30 days', 'right'],
                ['Bought, 30 days', 'right'],
                ['Spent, 30 days', 'right'],
              ]}
            >
              {all.strategies.map((row) => (
                <tr key={row.name}>
                  <th scope="row">
                    {row.name}
                    {row.mode === 'live' ? '' : ' (on paper)'}
                  </th>
                  <FigureCells figures={row.today} />
                  <FigureCells figures={row.month} />
                </tr>
              ))}
            </Table>
          </Card>
          <div class="grid">
            {all.strategies.map((row) => (
              <OneStrategy key={row.name} row={row} />
            ))}
          </div>
        </>
      )}
    </Awaited>
  );
}

function noteOf({ count: all, strategies, wholeMonth }: Strategies): string {
  const shown = all > strategies.length ? `The first ${strategies.length} of ${count(all)}. ` : '';
  return `${shown}“Today” is the day in UTC for purchases, and the last 24 hours for what was found${wholeMonth ? '' : '; of 30 days, only the newest decisions are counted'}.`;
}

function FigureCells({ figures }: { figures: Figures }) {
  return (
    <>
      <td class="right">{count(figures.matches)}</td>
      <td class="right">{count(figures.purchases)}</td>
      <td class="right">{dollars(figures.spent)}</td>
    </>
  );
}

function OneStrategy({ row }: { row: StrategyRow }) {
  return (
    <Card title={row.name} note="Narrowly missed: one condition alone was not met">
      {row.near.length === 0 && <p class="note">Nothing among the newest listings.</p>}
      <ul class="rows">
        {row.near.map((miss) => (
          <li key={`${miss.market} ${miss.listingId}`}>
            <Listing id={miss.listingId} name={miss.marketHashName} />
            <span class="figure">{dollars(miss.priceWithFee)}</span>
            <span class="under">
              {miss.path}: wants {miss.threshold}, has {miss.value}
            </span>
          </li>
        ))}
      </ul>
      <details>
        <summary>The strategy as it is written</summary>
        <pre tabIndex={0}>{row.text}</pre>
      </details>
    </Card>
  );
}
