import { compileGlob } from '../domain/glob.ts';
import { nearest } from '../domain/nearest.ts';
import { foldCase } from '../domain/text.ts';
import { exteriorShorthand, exteriors, guns, starred } from './known-words.ts';
import { quoteHint } from './text-hints.ts';

/** What is odd about a glob on item names, and what was probably meant. */
export interface NameHint {
  readonly problems: readonly string[];
  readonly instead: string;
}

interface Step {
  readonly text: string;
  readonly problem: string | undefined;
}

/**
 * Looks at a glob on item names for slips that make it match nothing: names are built as
 * `[★ ][StatTrak™ |Souvenir ]Base[ | Finish][ (Exterior)]`. undefined when nothing is odd. Nothing is ever corrected silently.
 */
export function nameHint(glob: string): NameHint | undefined {
  const problems: string[] = [];
  let text = glob;
  for (const step of [quotes, blanks, bars, expressions, statTrak, star, base, exterior, wholeName]) {
    const { text: better, problem } = step(text);
    if (problem === undefined) continue;
    problems.push(problem);
    text = better;
  }
  return problems.length === 0 ? undefined : { problems, instead: text };
}

function quotes(text: string): Step {
  const hint = quoteHint(text);
  return { text: hint?.instead ?? text, problem: hint?.problem };
}

/** `AWP|Asiimov`; where a * or ? stands beside it, that may be the blank. */
function bars(text: string): Step {
  const better = text.replace(/(?<=[^\s*?])\|/g, ' |').replace(/\|(?=[^\s*?])/g, '| ');
  return { text: better, problem: better === text ? undefined : 'lacks the blanks that names have on both sides of |' };
}

function blanks(text: string): Step {
  return { text: text.trim(), problem: text === text.trim() ? undefined : 'begins or ends with a blank, as no name does' };
}

function expressions(text: string): Step {
  const plain = (insideSlashes(text) ?? text).replace(/^\^|\$$/g, '').replaceAll('.*', '*');
  return { text: plain, problem: plain === text ? undefined : 'looks like a regular expression; only * and ? mean anything' };
}

/** What slashes enclose, undefined where none do. An expression without anchors and signs looks for its text anywhere. */
function insideSlashes(text: string): string | undefined {
  const inside = /^\/(.+)\/[dgimsuvy]*$/.exec(text)?.[1];
  return inside === undefined || /[*?]|^\^|\$$/.test(inside) ? inside : `*${inside}*`;
}

function statTrak(text: string): Step {
  const better = text.replace(/stat[- ]?trak(?![™*?])(?:\s?\(?tm\)?)?/gi, 'StatTrak™');
  return { text: better, problem: better === text ? undefined : 'lacks the ™ that names have after StatTrak' };
}

/** Prefix, base and the rest, of a glob that spells out the beginning of a name; undefined for others. */
function spelledOut(text: string): { prefix: string; base: string; rest: string } | undefined {
  const parts = /^((?:★ ?)?(?:StatTrak™ |Souvenir )?(?:★ ?)?)([^*?|]+?)( \|.*|\*.*|)$/iu.exec(text);
  return parts ? { prefix: parts[1] ?? '', base: parts[2] ?? '', rest: parts[3] ?? '' } : undefined;
}

function star(text: string): Step {
  const parts = spelledOut(text);
  const known = parts && starred.some((name) => foldCase(name) === foldCase(parts.base.trim()));
  if (!parts || !known) return { text, problem: undefined };
  const prefix = `★ ${parts.prefix.replace(/★ ?/g, '')}`;
  if (parts.prefix === prefix) return { text, problem: undefined };
  const problem = parts.prefix.includes('★')
    ? 'has its ★ in another place than names have'
    : 'lacks the ★ that names of knives and gloves begin with';
  return { text: prefix + parts.base + parts.rest, problem };
}

function base(text: string): Step {
  const parts = spelledOut(text);
  if (!parts?.rest.startsWith(' |')) return { text, problem: undefined };
  const squeezed = squeeze(parts.base);
  const meant = [...guns, ...starred].find((name) => squeeze(name) === squeezed);
  if (meant === undefined || foldCase(meant) === foldCase(parts.base)) return { text, problem: undefined };
  return { text: parts.prefix + meant + parts.rest, problem: `names are spelled ${meant}` };
}

function squeeze(name: string): string {
  return foldCase(name).replace(/[\s_-]+/g, '');
}

/** `(FT)`, `(Field Tested)`: what stands in the last parentheses of a gun's, knife's or glove's name is one of five words. */
function exterior(text: string): Step {
  const parts = /^(.*\()([^()*?]+)\)$/.exec(text);
  const word = parts?.[2] ?? '';
  if (!isWornItem(text) || exteriors.some((known) => foldCase(known) === foldCase(word))) return { text, problem: undefined };
  const meant = exteriorShorthand.get(word.toLowerCase()) ?? nearest(word, exteriors);
  if (!parts || meant === undefined) return { text, problem: undefined };
  return { text: `${parts[1]}${meant})`, problem: `names are spelled (${meant})` };
}

/** A gun's name goes on with its exterior, so one without it is the whole name of nothing. */
function wholeName(text: string): Step {
  if (text.endsWith('|') || /[*?)]/.test(text) || !isWornItem(text)) return { text, problem: undefined };
  return { text: `${text}*`, problem: 'is compared with whole names, which go on with the exterior: (Field-Tested) and so on' };
}

function isWornItem(text: string): boolean {
  const parts = spelledOut(text);
  if (!parts?.rest.startsWith(' | ')) return false;
  return [...guns, ...starred].some((name) => foldCase(name) === foldCase(parts.base));
}

/** Whether a glob spells out a finish after its ` | `, and none of the given ones (folded) can be it. */
export function excludesFinishes(glob: string, finishes: readonly string[]): boolean {
  const finish = spelledFinish(glob);
  return finish !== undefined && !finishes.some(compileGlob(finish));
}

/** Whether a glob spells out a finish and one of the given ones (folded) can be it. */
export function namesFinish(glob: string, finishes: readonly string[]): boolean {
  const finish = spelledFinish(glob);
  return finish !== undefined && /[^*?]/.test(finish) && finishes.some(compileGlob(finish));
}

function spelledFinish(glob: string): string | undefined {
  const bar = glob.lastIndexOf(' | ');
  return bar < 0 ? undefined : glob.slice(bar + 3).replace(/ ?\(.*$/, '');
}
