import type { EndpointName } from '../../api/endpoints.ts';
import type { Asked, Asking } from './asking.ts';
import { nameOf, refusalVerdict, type Case, type Verdict } from './case.ts';

/** A case that changes something: never asked of a real service. */
export function story(endpoint: EndpointName, rules: readonly string[], what: string, judge: Case['judge']): Case {
  return { endpoint, rules: [nameOf(endpoint), ...rules], what, changes: true, judge };
}

/** Whether that request is refused. */
export async function refusedWith(asking: Asking, name: EndpointName, asked: Asked): Promise<Verdict> {
  return refusalVerdict(name, await asking.ask(name, asked));
}
