import type { Node } from 'oxc-parser';
import { dottedName, programOf, walk } from './syntax.ts';
import { inSource, isTypeScript, lineCount, lineOf, perFile, type Finding, type Rule } from './tree.ts';

const linesPerFileMax = 300;
const linesPerFunctionMax = 60;

export const filesAreShort: Rule = perFile(inSource, ({ path, text }) => {
  const lines = lineCount(text);
  if (lines <= linesPerFileMax) return [];
  return [
    {
      path,
      line: linesPerFileMax + 1,
      message: `has ${lines} lines, at most ${linesPerFileMax}: split it by idea and name the parts`,
    },
  ];
});

export const functionsAreShort: Rule = perFile(inSource, (file) => {
  const found: Finding[] = [];
  walk(file, (node) => {
    if (!isFunction(node)) return;
    const line = lineOf(file.text, node.start);
    const lines = lineOf(file.text, node.end) - line + 1;
    if (lines <= linesPerFunctionMax) return;
    const message = `a function of ${lines} lines, at most ${linesPerFunctionMax}: move the leaves out and leave the decisions`;
    found.push({ path: file.path, line, message });
  });
  return found;
});

function isFunction(node: Node): boolean {
  return node.type === 'FunctionDeclaration' || node.type === 'FunctionExpression' || node.type === 'ArrowFunctionExpression';
}

const isConfig = (path: string): boolean => /(?:^|\/)[^/]+\.config\.ts$/.test(path);

export const exportsHaveNames: Rule = perFile(
  (path) => isTypeScript(path) && !isConfig(path),
  (file) =>
    programOf(file)
      .body.filter((node) => node.type === 'ExportDefaultDeclaration')
      .map((node) => ({
        path: file.path,
        line: lineOf(file.text, node.start),
        message: 'a default export: export it by its name',
      })),
);

export const typesSayWhatTheyKnow: Rule = perFile(isTypeScript, (file) => {
  const found: Finding[] = [];
  walk(file, (node) => {
    if (node.type !== 'TSAnyKeyword') return;
    const message = 'says any: say unknown and check it, or name the type';
    found.push({ path: file.path, line: lineOf(file.text, node.start), message });
  });
  return found;
});

export const onlyCommandsPrint: Rule = perFile(
  (path) => inSource(path) && !path.startsWith('src/cli/'),
  (file) => {
    const found: Finding[] = [];
    walk(file, (node) => {
      const name = dottedName(node);
      if (!name?.startsWith('console.')) return;
      const message = `uses ${name}: take a Log (src/engine/ports.ts); only src/cli prints`;
      found.push({ path: file.path, line: lineOf(file.text, node.start), message });
    });
    return found;
  },
);

/** What makes something of a long-lived signal each time leaves something behind at it each time. */
export const signalsAreNotCombined: Rule = perFile(inSource, (file) => {
  const found: Finding[] = [];
  walk(file, (node) => {
    if (dottedName(node) !== 'AbortSignal.any') return;
    const message =
      'uses AbortSignal.any, which Node.js 20 remembers at each signal for as long as that lives: listen, and stop listening';
    found.push({ path: file.path, line: lineOf(file.text, node.start), message });
  });
  return found;
});

/** Every test runs, always: none is singled out, left out or promised. */
export const everyTestRuns: Rule = perFile(
  (path) => path.startsWith('test/') && isTypeScript(path),
  (file) => {
    const found: Finding[] = [];
    walk(file, (node) => {
      const name = dottedName(node);
      if (!name || !/^(?:it|test|describe|suite)\b.*\.(?:only|skip|todo|fails)$/.test(name)) return;
      found.push({
        path: file.path,
        line: lineOf(file.text, node.start),
        message: `uses ${name}: mend the test, or take it out`,
      });
    });
    return found;
  },
);

/** Hooks of a shared file would be those of the first test file that loads it alone: a worker keeps what it has loaded. */
export const sharedFilesHookNothing: Rule = perFile(
  (path) => path.startsWith('test/') && isTypeScript(path) && !path.endsWith('.test.ts'),
  (file) => {
    const found: Finding[] = [];
    walk(file, (node) => {
      const name = node.type === 'CallExpression' ? dottedName(node.callee) : undefined;
      const isAtTop = node.start === 0 || file.text[node.start - 1] === '\n';
      if (!name || !isAtTop || !/^(?:before|after)(?:Each|All)$/.test(name)) return;
      const message = `hooks ${name} when it is loaded: call onTestFinished where there is something to undo, or hook in a function`;
      found.push({ path: file.path, line: lineOf(file.text, node.start), message });
    });
    return found;
  },
);
