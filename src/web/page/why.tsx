import { computed, useSignal } from '@preact/signals';
import type { Why } from './answers.ts';
import { goTo } from './browser.ts';
import { DecisionTable } from './decisions.tsx';
import { Ago, Awaited, Card, Moment, Table } from './parts.tsx';
import { PurchaseTable } from './purchases.tsx';
import { useAnswer } from './use-answer.ts';
import { placeOf, view } from './where.ts';
import { dollars, plain } from './words.ts';

const path = computed(() => `api/why?id=${encodeURIComponent(view.value.rest)}`);

/** The number of a listing, to be asked about. */
function AskWhy() {
  const id = useSignal('');
  return (
    <Card title="Why was a listing bought, or not?" wide>
      <form
        class="filters"
        onSubmit={(event) => {
          event.preventDefault();
          if (id.value.trim() !== '') goTo(placeOf(`/why/${encodeURIComponent(id.value.trim())}`));
        }}
      >
        <label class="grows">
          Number of the listing
          <input
            required
            maxLength={100}
            autoComplete="off"
            value={id.value}
            onInput={(event) => (id.value = event.currentTarget.value)}
          />
        </label>
        <button type="submit">Explain</button>
      </form>
      <p class="note">Every item's name on this page leads here as well.</p>
    </Card>
  );
}

export function WhyView() {
  if (view.value.rest === '') return <AskWhy />;
  return (
    <>
      <Explained />
      <AskWhy />
    </>
  );
}

function Explained() {
  const answer = useAnswer<readonly Why[]>(path);
  return (
    <Awaited answer={answer} none={`Listing ${view.value.rest} was never seen here, or the recording has forgotten it.`}>
      {(each) => each.map((about) => <OneWhy key={about.market} about={about} />)}
    </Awaited>
  );
}

function OneWhy({ about }: { about: Why }) {
  const { marketHashName, listingId, market, seen, bad, matched, strategies, decisions, purchases, listing } = about;
  return (
    <>
      <Card title={marketHashName ?? 'A listing without a name'} wide>
        <p>
          Listing {listingId ?? '–'} on {market ?? '–'}
          {typeof listing?.['priceWithFee'] === 'number' ? `, ${dollars(listing['priceWithFee'])} with fee` : ''}
          {typeof listing?.['steamPrice'] === 'number' ? `, ${dollars(listing['steamPrice'])} on Steam` : ''}
        </p>
        {seen !== null && (
          <p class="note">
            First seen <Moment at={seen.first} />;{' '}
            {seen.standing ? 'it stood when the market was last looked at' : seen.gone === null ? 'last seen ' : 'found gone '}
            {!seen.standing && <Ago at={seen.gone ?? seen.last} />}.
          </p>
        )}
        <p class={matched.length > 0 ? 'good-text' : ''}>{judgement(about)}</p>
        {bad !== null && <p class="bad-text">It cannot be judged, so nothing may buy it: {bad}</p>}
      </Card>
      {strategies.map((strategy) => (
        <Card key={strategy.name} title={`${strategy.name}: ${strategy.matches ? 'wants it' : 'does not want it'}`} wide>
          {strategy.admission !== null && (
            <p>
              {strategy.admission.admitted
                ? 'It would be allowed now.'
                : `It would not be allowed now: ${plain(strategy.admission.detail ?? strategy.admission.reason ?? '')}`}
            </p>
          )}
          <Conditions strategy={strategy} />
        </Card>
      ))}
      {decisions.length > 0 && (
        <Card title="What was decided about it" wide>
          <DecisionTable
            rows={decisions
              .slice(0, 50)
              .map((row) => ({ ...row, listingId: listingId ?? '', marketHashName: marketHashName ?? '' }))}
          />
        </Card>
      )}
      {purchases.length > 0 && (
        <Card title="Purchases of it" wide>
          <PurchaseTable rows={purchases} />
        </Card>
      )}
    </>
  );
}

function judgement({ matched, strategies, listing }: Why): string {
  if (listing === null)
    return 'What it looked like is not in the recording any more, so the strategies cannot be held against it.';
  if (matched.length > 0) return `Wanted by ${matched.join(', ')}.`;
  return strategies.length === 1 ? 'The one strategy does not want it.' : `None of ${strategies.length} strategies wants it.`;
}

const marks = { true: ['✓', 'met'], false: ['✗', 'not met'], absent: ['–', 'not known of this listing'] } as const;

function Conditions({ strategy }: { strategy: Why['strategies'][number] }) {
  return (
    <Table label={`Conditions of ${strategy.name}`} head={[['Condition'], ['It wants'], ['The listing has'], ['Met']]}>
      {strategy.conditions.map(({ path, depth, threshold, value, verdict }, index) => (
        <tr key={index} class={verdict === 'true' ? '' : 'missed'}>
          <th scope="row" class={depth === 0 ? '' : 'inner'}>
            <code>{path}</code>
          </th>
          <td>{threshold}</td>
          <td>{value}</td>
          <td>
            <span class={verdict === 'true' ? 'good-text' : verdict === 'false' ? 'bad-text' : ''}>
              <span aria-hidden="true">{marks[verdict][0]}</span> {marks[verdict][1]}
            </span>
          </td>
        </tr>
      ))}
    </Table>
  );
}
