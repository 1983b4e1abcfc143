import type { AccountLine, Everybody } from './answers.ts';
import { ago, count, counted } from './words.ts';

type State = AccountLine['state'];

interface Words {
  readonly name: string;
  readonly tone: 'good' | 'warn' | 'bad' | 'plain';
  /** `2 are stopped`. */
  readonly one: string;
  readonly many: string;
}

/** What a person calls the states of an account. */
export const stateWords: Readonly<Record<State, Words>> = {
  buying: { name: 'buying', tone: 'good', one: 'buys', many: 'buy' },
  paper: { name: 'on paper', tone: 'good', one: 'buys on paper', many: 'buy on paper' },
  closed: { name: 'waiting', tone: 'warn', one: 'buys nothing right now', many: 'buy nothing right now' },
  halted: { name: 'stopped', tone: 'bad', one: 'is stopped', many: 'are stopped' },
  down: { name: 'not running', tone: 'bad', one: 'is not running', many: 'are not running' },
  unread: { name: 'cannot be read', tone: 'bad', one: 'cannot be read', many: 'cannot be read' },
  unseen: { name: 'looked at next', tone: 'plain', one: 'is looked at next', many: 'are looked at next' },
};

export interface VerdictOfAll {
  readonly tone: 'good' | 'warn' | 'bad';
  readonly title: string;
  /** Of what keeps some of them from buying, a few words each. */
  readonly words: readonly { readonly state: State; readonly words: string }[];
  /** The shortest form of it. */
  readonly pill: string;
}

/** A sign of life older than this is none; the list of a thousand accounts is itself a few seconds old. */
const QUIET_MS = 60_000;

/** Whether the accounts buy, and how many do not and for what. */
export function verdictOfAll({ accounts, signOfLifeAt }: Everybody, at: number): VerdictOfAll {
  const by = new Map<State, number>();
  for (const { state } of accounts) by.set(state, (by.get(state) ?? 0) + 1);
  const all = accounts.length;
  const buying = by.get('buying') ?? 0;
  const well = buying + (by.get('paper') ?? 0);
  const doing = buying === 0 && well > 0 ? 'on paper' : 'buying';
  const words = (Object.keys(stateWords) as State[])
    .filter((state) => by.has(state) && state !== 'buying' && !(state === 'paper' && doing === 'on paper'))
    .map((state) => ({
      state,
      words: `${count(by.get(state) ?? 0)} ${stateWords[state][by.get(state) === 1 ? 'one' : 'many']}`,
    }));
  const pill = `${count(well)} of ${count(all)} ${doing}`;
  if (signOfLifeAt !== null && at - Date.parse(signOfLifeAt) > QUIET_MS)
    return { tone: 'bad', title: `Magpie gives no sign of life; the last one came ${ago(signOfLifeAt, at)}`, words, pill };
  if (by.get('unseen') === all) return { tone: 'warn', title: 'The accounts are being looked at', words: [], pill };
  const tone = well === all ? 'good' : well > 0 || by.has('unseen') ? 'warn' : 'bad';
  const verb = doing === 'on paper' ? ['buys on paper', 'buy on paper'] : ['buys', 'buy'];
  const title =
    well === all
      ? all === 1
        ? `The account ${verb[0]}`
        : `All ${counted(all, 'account')} ${verb[1]}`
      : well === 0
        ? 'No account buys right now'
        : `${count(well)} of ${counted(all, 'account')} ${verb[well === 1 ? 0 : 1]}`;
  return { tone, title, words, pill };
}
