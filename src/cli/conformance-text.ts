import { foundIn, type Judged } from '../app/conformance/suite.ts';
import { counted, printable } from '../domain/text.ts';
import type { Io } from './io.ts';
import { table } from './table.ts';

export interface ConformanceTold {
  readonly baseUrl: string;
  readonly readOnly: boolean;
  /** How many requests were sent. */
  readonly requests: number;
  readonly judged: readonly Judged[];
}

type Kind = Judged['verdict']['kind'];

/** Whether everything that was tried agrees. What could not be tried here is no fault of the service. */
export function isSound(judged: readonly Judged[]): boolean {
  return judged.every(({ verdict }) => verdict.kind === 'agrees' || verdict.kind === 'skipped');
}

export function conformanceJson({ baseUrl, readOnly, requests, judged }: ConformanceTold): Record<string, unknown> {
  const cases = judged.map(({ endpoint, rules, what, verdict }) => ({
    ...{ endpoint, rules, what, verdict: verdict.kind },
    found: verdict.kind === 'agrees' ? null : verdict.found,
  }));
  return { ok: isSound(judged), baseUrl, readOnly, requests, ...countsOf(judged), cases };
}

/** A line for each endpoint, then whatever does not agree. */
export function showConformance({ out }: Io, { baseUrl, readOnly, requests, judged }: ConformanceTold): void {
  const { good, bad, warn, dim } = out.palette;
  const rows = [...new Set(judged.map(({ endpoint }) => endpoint))].map((endpoint) => {
    const { agrees, differs, unclear, skipped } = countsOf(judged.filter((each) => each.endpoint === endpoint));
    const shown = (count: number, colour: (text: string) => string): string => (count === 0 ? '' : colour(String(count)));
    return [endpoint, shown(agrees, good), shown(differs, bad), shown(unclear, warn), shown(skipped, dim)];
  });
  const right = { align: 'right' } as const;
  const columns = [
    { title: 'endpoint', grows: true },
    ...['agrees', 'differs', 'unclear', 'not tried'].map((title) => ({ title, ...right })),
  ];
  out.line(`${printable(baseUrl)}${readOnly ? ', reads only' : ', play money'}: ${counted(requests, 'request')}`);
  out.line();
  out.write(table(columns, rows, { width: out.width }));
  list(out, judged, 'differs', bad('Differs from the document:'));
  list(out, judged, 'unclear', warn('No answer that tells:'));
  list(out, judged, 'skipped', dim('Not tried:'));
  const { agrees, differs, unclear, skipped } = countsOf(judged);
  out.line();
  const words = `${agrees} agree, ${differs} differ, ${unclear} unclear, ${skipped} not tried`;
  out.line(isSound(judged) ? good(`${words}.`) : bad(`${words}.`));
}

function list(out: Io['out'], judged: readonly Judged[], kind: Kind, title: string): void {
  const own = judged.filter(({ verdict }) => verdict.kind === kind);
  if (own.length === 0) return;
  out.line();
  out.line(title);
  for (const { endpoint, rules, what, verdict } of own) {
    const others = rules.filter((rule) => rule !== endpoint);
    out.line(`  ${endpoint}${others.length === 0 ? '' : ` (${others.join(', ')})`}`);
    out.line(`    ${what}`);
    out.line(`    → ${printable(foundIn(verdict), 600)}`);
  }
}

function countsOf(judged: readonly Judged[]): Record<Kind, number> {
  const counts = { agrees: 0, differs: 0, unclear: 0, skipped: 0 };
  for (const { verdict } of judged) counts[verdict.kind]++;
  return counts;
}
