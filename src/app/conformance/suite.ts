import type { Asking } from './asking.ts';
import { nameOf, successOf, type Case, type Verdict } from './case.ts';
import { rightCases, wrongCases } from './from-table.ts';
import { readingCases } from './reading.ts';
import { offeredIn } from './scene.ts';
import { storyCases } from './stories.ts';

/** One statement with what came of it. */
export interface Judged {
  /** `GET /v1/user` */
  readonly endpoint: string;
  readonly rules: readonly string[];
  readonly what: string;
  readonly verdict: Verdict;
}

/** All that can be tried; only what changes nothing where `readOnly`. */
export function casesFor(readOnly: boolean): readonly Case[] {
  const all = [...rightCases(), ...readingCases(), ...wrongCases(), ...storyCases()];
  return readOnly ? all.filter(({ changes }) => !changes) : all;
}

/** What came of the suite, or why it could not begin. */
export type Conformance =
  | { readonly ok: true; readonly judged: readonly Judged[] }
  | { readonly ok: false; readonly why: string };

/**
 * Holds a service against the document, a statement at a time. `onCase` is told before each how many there are.
 */
export async function conform(
  asking: Asking,
  cases: readonly Case[],
  { tradeUrl, mark }: { readonly tradeUrl: string; readonly mark: string },
  onCase: (at: number, of: number) => void,
): Promise<Conformance> {
  const user = successOf('user', await asking.ask('user'));
  if (!user.ok) return { ok: false, why: `GET /v1/user: ${foundIn(user.verdict)}` };
  const listings = offeredIn(await asking.ask('liveListings'));
  asking.scene = { listings, tradeUrl, mark };
  const judged: Judged[] = [];
  for (const [at, each] of cases.entries()) {
    onCase(at + 1, cases.length);
    const { endpoint, rules, what } = each;
    judged.push({ endpoint: nameOf(endpoint), rules, what, verdict: await looked(asking, each) });
  }
  return { ok: true, judged };
}

/** What was asked about may have been sold meanwhile: a difference counts when a second look, at what stands then, still shows it. */
async function looked(asking: Asking, { changes, judge }: Case): Promise<Verdict> {
  const verdict = await judge(asking);
  if (verdict.kind !== 'differs' || changes) return verdict;
  const listings = offeredIn(await asking.ask('liveListings'));
  if (listings.length > 0) asking.scene = { ...asking.scene, listings };
  return judge(asking);
}

/** What a verdict says; empty where it agrees. */
export function foundIn(verdict: Verdict): string {
  return verdict.kind === 'agrees' ? '' : verdict.found;
}
