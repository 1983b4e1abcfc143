import type { Document, YAMLError } from 'yaml';
import { Lexer, LineCounter, parseAllDocuments, visit } from 'yaml';
import type { FileFault } from './file-fault.ts';
import { maskReferences, usesStandIns } from './references.ts';

/** Deeper than any configuration goes; far less than what makes the parser run out of stack, which ends the whole process. */
const NESTING_MAX = 32;
/** A line that begins with more than this of blanks and list marks nests deeper than NESTING_MAX, or is no text of a person. */
const LEADING_MAX = 100;

/** Tokens that only say what follows (a document, flow text, a scalar) and are not in the text. */
const MARKS: ReadonlySet<string> = new Set(['\u0002', '\u0018', '\u001f']);

export interface SyntaxTree {
  readonly document: Document;
  readonly lines: LineCounter;
  /** What the tree's offsets count in; references are masked when they were asked for. */
  readonly source: string;
}

export type Syntax = { readonly ok: true; readonly tree: SyntaxTree } | { readonly ok: false; readonly fault: FileFault };

/**
 * One YAML 1.2 document, or the first thing wrong with it. Several documents, directives, and everything that the parser
 * itself only warns of are faults. With `references`, `${NAME}` may stand anywhere that a plain word may.
 */
export function parseYaml(text: string, file: string, references: boolean): Syntax {
  const lines = new LineCounter();
  const broken = (offset: number, message: string, suggestion?: string): Syntax => {
    const { line, column } = placeAt(text, offset);
    return { ok: false, fault: { file, line, column, path: '', message, suggestion } };
  };
  const standIn = usesStandIns(text);
  if (standIn !== undefined) return broken(standIn, 'holds a private-use character, which no name has', 'remove it');
  const deep = tooDeep(text);
  if (deep !== undefined) return broken(deep, `is nested deeper than ${NESTING_MAX} levels`);
  const source = references ? maskReferences(text) : text;
  const documents = parse(source, lines);
  const [document, second] = documents;
  if (document === undefined) return broken(0, 'is empty', 'write at least one key');
  const error = document.errors[0] ?? document.warnings[0];
  const quote = error?.code === 'MISSING_CHAR' ? openQuote(document, error.pos[0]) : undefined;
  if (quote !== undefined) return broken(quote, 'a quote opens here and is never closed', 'close it');
  if (error) return broken(error.pos[0], ...explain(error, text));
  if (second) return broken(startOf(second), 'holds more than one document', 'remove the line --- or ... between them');
  if (document.directives?.yaml.explicit === true || Object.keys(document.directives?.tags ?? {}).length > 1) {
    return broken(0, 'holds a directive', 'remove the line that begins with %');
  }
  return { ok: true, tree: { document, lines, source } };
}

function parse(source: string, lines: LineCounter): Document[] {
  const options = { version: '1.2', uniqueKeys: false, prettyErrors: false, lineCounter: lines } as const;
  const documents = parseAllDocuments(source, options);
  return 'empty' in documents ? [] : documents;
}

/** Offset of the first place that nests too deep; undefined when none does. Works on tokens, without recursion. */
function tooDeep(text: string): number | undefined {
  const margin = new RegExp(`^[ \\t?:-]{${LEADING_MAX + 1}}`, 'm').exec(text);
  if (margin) return margin.index;
  let [offset, depth] = [0, 0];
  for (const token of new Lexer().lex(text)) {
    if (token === '[' || token === '{') depth++;
    else if (token === ']' || token === '}') depth--;
    if (depth > NESTING_MAX) return offset;
    if (!MARKS.has(token)) offset += token.length;
  }
  return undefined;
}

/** Where the quoted text begins that runs to the given offset: the parser points to where it should have ended. */
function openQuote(document: Document, end: number): number | undefined {
  let start: number | undefined;
  visit(document, {
    Scalar: (_, { type, range }) => {
      if ((type === 'QUOTE_DOUBLE' || type === 'QUOTE_SINGLE') && range && range[1] >= end) start = range[0];
    },
  });
  return start;
}

function startOf(document: Document): number {
  return document.contents?.range?.[0] ?? document.range?.[0] ?? 0;
}

function placeAt(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset).split('\n');
  return { line: before.length, column: (before.at(-1) ?? '').length + 1 };
}

/** The parser's words without what it quotes of the text, which might be a key. */
function explain(error: YAMLError, text: string): [message: string, suggestion?: string] {
  const hint = hintFor(error, text);
  switch (error.code) {
    case 'TAB_AS_INDENT':
      return ['is indented with a tab', 'indent with spaces'];
    case 'BAD_SCALAR_START':
      return ['a value begins with a character that YAML keeps for itself', 'put the value in quotes: "…"'];
    case 'BLOCK_AS_IMPLICIT_KEY':
      return ['a value holds ": ", which begins a new key', 'put the value in quotes: "…"'];
    case 'TAG_RESOLVE_FAILED':
      return ['a value begins with "!", which YAML reads as a tag', 'put the value in quotes: "…"'];
    default:
      return [
        `is not valid YAML: ${lowerFirst(error.message.replace(/(?: token)? in YAML stream: .*$/s, '').replace(/: .*$/s, ''))}`,
        hint,
      ];
  }
}

/** A comment that cut a bracket or a quote off is the usual reason of an error that YAML reports lines later. */
function hintFor(error: YAMLError, text: string): string | undefined {
  const before = text.slice(0, error.pos[0]).split('\n').slice(-3).join('\n');
  const after = text.slice(error.pos[0]).split('\n', 1)[0] ?? '';
  return /[ \t]#[^\s#]/.test(before + after) ? 'a # after a blank begins a comment: put the text around it in quotes' : undefined;
}

function lowerFirst(text: string): string {
  return text.slice(0, 1).toLowerCase() + text.slice(1);
}
