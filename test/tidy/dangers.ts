import type { Node } from 'oxc-parser';
import { isLinear } from './patterns.ts';
import { dottedName, importsOf, programOf, walk } from './syntax.ts';
import { inSource, lineOf, perFile, type Finding, type Rule, type SourceFile } from './tree.ts';

const makersOfCode = new Set(['eval', 'Function', 'execScript']);
const loadersOfCode = /^node:(?:vm|child_process|inspector|inspector\/promises|repl|cluster|wasi)$/;

/**
 * A program that the user names in the configuration, started without a shell; and a shell with words of our own, which hands what it
 * reads to systemd's program as arguments.
 */
const runners: ReadonlySet<string> = new Set(['src/notify/command.ts', 'src/monitor/service-manager.ts']);
const runsProgram = (path: string, specifier: string): boolean => runners.has(path) && specifier === 'node:child_process';

/** Strategies, configuration and answers are data: nothing here runs a text, nor a program but those. */
export const noTextBecomesCode: Rule = perFile(inSource, (file) => {
  const found: Finding[] = importsOf(file)
    .filter(({ specifier }) => loadersOfCode.test(specifier) && !runsProgram(file.path, specifier))
    .map(({ specifier, line }) => ({
      path: file.path,
      line,
      message: `imports ${specifier}, which runs code from elsewhere: say it as data`,
    }));
  walk(file, (node, parent, key) => {
    const name = dottedName(node);
    if (name === undefined || !makersOfCode.has(name)) return;
    if (key === 'property' || key === 'key' || parent?.type.startsWith('TS')) return;
    found.push(at(file, node, `uses ${name}, which makes code from text: say it as data`));
  });
  return found;
});

/** What asks a database, by the name of what it is asked of. */
const asked = /(?:^|[.#])(?:db|store|relaxed)$/;
const askers = new Set(['prepare', 'exec', 'pragma', 'writing', 'reading', 'value']);

/**
 * Pieces of SQL that are made by code, each from our own words alone: the constants of what a function is given, and names that
 * stand in quotes.
 */
const ownWords: Readonly<Record<string, readonly string[]>> = {
  'src/ledger/connection.ts': ['synchronous', 'CHECKPOINT_PAGES[synchronous]', 'check', 'pragma'],
  'src/ledger/migrate.ts': ['step.sql', 'step.to'],
  'src/ledger/rules.ts': ['name', 'sql', 'quoted(name)', 'kept'],
  'src/ledger/store.ts': ['sql'],
  'src/replay/tape-schema.ts': ['pageLimit(maxBytes)'],
  'src/replay/tape-reader.ts': ['sql'],
  'src/replay/tape-writer.ts': ['sql'],
  'src/sandbox/store.ts': ['kind'],
};

/** SQL is written down, and what comes from outside is given to it as a value. */
export const statementsAreWrittenDown: Rule = perFile(inSource, (file) => {
  const found: Finding[] = [];
  const constants = constantsOf(file);
  walk(file, (node) => {
    if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression') return;
    const { object, property } = node.callee;
    if (property.type !== 'Identifier' || !askers.has(property.name) || !asked.test(sourceOf(file, object))) return;
    const [statement] = node.arguments;
    const strange = statement ? strangePieces(file, statement, constants) : [];
    for (const piece of strange) {
      if (ownWords[file.path]?.includes(piece)) continue;
      found.push(at(file, node, `asks the database with ${piece} inside the statement: give it as a value (?)`));
    }
  });
  return found;
});

/** Which parts of a statement are neither written down in it nor constants of the file. */
function strangePieces(file: SourceFile, node: Node, constants: ReadonlyMap<string, Node>): string[] {
  if (node.type === 'Literal') return [];
  if (node.type === 'TemplateLiteral') return node.expressions.flatMap((part) => strangePieces(file, part, constants));
  if (node.type === 'BinaryExpression') return [node.left, node.right].flatMap((part) => strangePieces(file, part, constants));
  if (node.type === 'Identifier') {
    if (/^[A-Z][A-Z0-9_]*$/.test(node.name)) return [];
    const value = constants.get(node.name);
    if (value) return strangePieces(file, value, constants);
  }
  return [sourceOf(file, node)];
}

/** The constants at the top of a file, by name. */
function constantsOf(file: SourceFile): ReadonlyMap<string, Node> {
  const found = new Map<string, Node>();
  for (const statement of programOf(file).body) {
    const declared = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
    if (declared?.type !== 'VariableDeclaration' || declared.kind !== 'const') continue;
    for (const { id, init } of declared.declarations) if (id.type === 'Identifier' && init) found.set(id.name, init);
  }
  return found;
}

/** What can send money away, and the files that may name it. */
const doors: ReadonlyMap<string, readonly string[]> = new Map([
  ['createVenue', ['src/gateway/venue.ts', 'src/app/daemon.ts']],
  ['endpoints.buy', ['src/gateway/venue.ts', 'src/sandbox/api.ts']],
  // What a person or another program calls by hand: nothing that decides may come by one.
  ['createHand', ['src/gateway/hand.ts', 'src/cli/service.ts', 'src/cli/treasury-run.ts', 'src/client/client.ts']],
  ['createClient', ['src/client/client.ts']],
  // Wrong requests on purpose, which no daemon has.
  ['createProbe', ['src/gateway/probe.ts', 'src/cli/conformance.ts']],
  ['endpoints.legacyBuy', []],
  ['endpoints.withdraw', []],
  ['endpoints.transfer', []],
  // The rows are reached through the table alone, where these rules see them.
  ...['market', 'account', 'wallet', 'partner', 'legacy'].map((part): [string, readonly string[]] => [
    `${part}Rows`,
    [`src/api/rows/${part}.ts`, 'src/api/endpoints.ts'],
  ]),
]);

export const moneyLeavesByOneDoor: Rule = perFile(inSource, (file) => {
  const found: Finding[] = [];
  walk(file, (node) => {
    const name = dottedName(node);
    if (name === undefined || doors.get(name)?.includes(file.path) !== false) return;
    found.push(at(file, node, `uses ${name}: buying has one door, which stands open in live mode only (src/app/daemon.ts)`));
  });
  return found;
});

/** Patterns meet texts from outside, and must not take longer than the text is long. */
export const patternsAreLinear: Rule = perFile(inSource, (file) => {
  const found: Finding[] = [];
  walk(file, (node) => {
    if (node.type !== 'Literal' || !('regex' in node) || isLinear(node.regex.pattern)) return;
    found.push(at(file, node, 'repeats what repeats: bound one of the two, or a made-up text takes for ever'));
  });
  return found;
});

function sourceOf(file: SourceFile, node: Node): string {
  return file.text.slice(node.start, node.end);
}

function at(file: SourceFile, node: Node, message: string): Finding {
  return { path: file.path, line: lineOf(file.text, node.start), message };
}
