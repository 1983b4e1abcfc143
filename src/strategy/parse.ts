import { type StrategySource, compileStrategy } from './compile.ts';
import { type DocumentFault, error } from './document-fault.ts';
import type { KnownNames } from './known-names.ts';
import { doubtfulNames, meaningFaults } from './meaning-faults.ts';
import type { StrategyDocument } from './schema.ts';
import { shapeFaults } from './shape-faults.ts';
import type { Strategy } from './strategy.ts';

export type ParsedStrategy =
  | { readonly ok: true; readonly strategy: Strategy; readonly warnings: readonly DocumentFault[] }
  | { readonly ok: false; readonly faults: readonly DocumentFault[]; readonly warnings: readonly DocumentFault[] };

/** No strategy a person writes comes near either; what does is a bomb. */
const DEPTH_MAX = 20;
const VALUES_MAX = 20_000;

/**
 * Checks a document as read from a strategy file, and compiles it when nothing is wrong with it. Never throws. With `known` names
 * that match none of them are warned of, where one is near.
 */
export function parseStrategy(document: unknown, source: StrategySource, known?: KnownNames): ParsedStrategy {
  const tooMuch = excess(document);
  if (tooMuch !== undefined) return { ok: false, faults: [error([], tooMuch)], warnings: [] };
  const shape = shapeFaults(document);
  if (shape.length > 0) return { ok: false, faults: shape, warnings: [] };
  // Nothing is transformed on checking, so the document itself, in its own order of keys, is what was checked.
  const checked = document as StrategyDocument;
  const found = meaningFaults(checked);
  const faults = found.filter(({ severity }) => severity === 'error');
  const doubts = known === undefined ? [] : doubtfulNames(checked, known);
  const warnings = [...found.filter(({ severity }) => severity === 'warning'), ...doubts];
  return faults.length > 0 ? { ok: false, faults, warnings } : { ok: true, strategy: compileStrategy(checked, source), warnings };
}

/** Says so when a document is nested too deeply or holds too much to be a strategy; looks level by level, so that no depth overflows. */
function excess(document: unknown): string | undefined {
  let level: unknown[] = [document];
  let values = 0;
  for (let depth = 0; level.length > 0; depth++) {
    values += level.length;
    if (depth > DEPTH_MAX) return `is nested more than ${DEPTH_MAX} deep`;
    if (values > VALUES_MAX) return `holds more than ${VALUES_MAX} values`;
    level = level.flatMap((value) =>
      typeof value === 'object' && value !== null ? Object.values(value as Readonly<Record<string, unknown>>) : [],
    );
  }
  return undefined;
}
