import type { Node } from 'oxc-parser';
import { dottedName, importsOf, walk } from './syntax.ts';
import { inSource, lineOf, perFile, type Finding, type Rule, type SourceFile } from './tree.ts';

const useClock = 'take a Clock (src/domain/clock.ts)';
const useTimer = 'take a Clock and use clock.after or sleep(clock, …)';
const useRandom = 'take a Random (src/domain/random.ts)';

/** Globals that answer differently each time, with what to use instead. */
const ambientGlobals: Readonly<Record<string, string>> = {
  'Date.now': useClock,
  performance: useClock,
  'process.hrtime': useClock,
  'process.uptime': useClock,
  setTimeout: useTimer,
  setInterval: useTimer,
  setImmediate: useTimer,
  'AbortSignal.timeout': useTimer,
  'Math.random': useRandom,
  crypto: useRandom,
};

const ambientModules: Readonly<Record<string, string>> = {
  'node:timers': useTimer,
  'node:timers/promises': useTimer,
  'node:perf_hooks': useClock,
};

const rxjsTime = new Set(
  (
    'interval timer delay delayWhen debounce debounceTime throttle throttleTime audit auditTime sample sampleTime ' +
    'bufferTime windowTime timeout timeInterval timestamp asyncScheduler animationFrameScheduler'
  ).split(' '),
);

/** The page runs in a browser, where nothing of src/app is: what it takes from there, clock and requests among it, it takes in this one file. */
const BROWSER = 'src/web/page/browser.ts';

/** The real clock and the real randomness are made in src/app and handed on from there. */
const outsideApp = (path: string): boolean => inSource(path) && !path.startsWith('src/app/') && path !== BROWSER;

export const clockAndRandomComeAsArguments: Rule = perFile(outsideApp, (file) => [
  ...globalsOf(file).flatMap(({ name, node }) => {
    const key = Object.keys(ambientGlobals).find((global) => name === global || name.startsWith(`${global}.`));
    return key === undefined ? [] : [at(file, node, `uses ${name}: ${ambientGlobals[key]}`)];
  }),
  ...dateReadings(file),
  ...ambientImports(file),
]);

export const requestsGoThroughTheGateway: Rule = perFile(
  (path) => inSource(path) && path !== BROWSER,
  (file) =>
    globalsOf(file)
      .filter(({ name }) => name === 'fetch')
      .map(({ node }) => at(file, node, 'uses fetch: the gateway makes every request, with limits on time, size and rate')),
);

const ofTheProcess = /^process\.(?:env|argv|cwd|chdir|exit|exitCode|kill|on|once|stdin|stdout|stderr)\b/;

/** What a process is told and tells (environment, words, streams, signals) is the business of the composition root and commands. */
export const theProcessBelongsToAppAndCommands: Rule = perFile(
  (path) => inSource(path) && !/^src\/(?:app|cli)\//.test(path),
  (file) =>
    globalsOf(file)
      .filter(({ name }) => ofTheProcess.test(name))
      .map(({ name, node }) => at(file, node, `uses ${name}: take the value as an argument; src/app and src/cli read it`)),
);

export const streamsOfTimeStayInFeedAndApp: Rule = perFile(
  (path) => inSource(path) && !/^src\/(?:feed|app)\//.test(path),
  (file) =>
    importsOf(file).flatMap(({ specifier, names, line }) =>
      /^rxjs(?:\/|$)/.test(specifier)
        ? names
            .filter((name) => rxjsTime.has(name) || name === '*')
            .map((name) => ({
              path: file.path,
              line,
              message: `imports ${name} from ${specifier}: streams over time live in feed and app`,
            }))
        : [],
    ),
);

function at(file: SourceFile, node: Node, message: string): Finding {
  return { path: file.path, line: lineOf(file.text, node.start), message };
}

function dateReadings(file: SourceFile): Finding[] {
  const found: Finding[] = [];
  walk(file, (node) => {
    if (node.type !== 'NewExpression' && node.type !== 'CallExpression') return;
    if (dottedName(node.callee) !== 'Date' || (node.type === 'NewExpression' && node.arguments.length > 0)) return;
    found.push(at(file, node, `reads the time of day with Date: ${useClock}`));
  });
  return found;
}

function ambientImports(file: SourceFile): Finding[] {
  return importsOf(file).flatMap(({ specifier, names, line }) => {
    const instead = ambientModules[specifier];
    if (instead !== undefined) return [{ path: file.path, line, message: `imports ${specifier}: ${instead}` }];
    if (specifier !== 'node:crypto') return [];
    return names
      .filter((name) => /^(?:random|getRandomValues|webcrypto|generate|default$|\*$)/.test(name))
      .map((name) => ({ path: file.path, line, message: `imports ${name} from node:crypto: ${useRandom}` }));
  });
}

/**
 * Names that a file uses, each with the chain of fields that follows: `Date.now`, `performance.now`. A local variable that borrows
 * the name of a global is found too: it deserves a name of its own.
 */
function globalsOf(file: SourceFile): { name: string; node: Node }[] {
  const used: { name: string; node: Node }[] = [];
  walk(file, (node, parent, key) => {
    if (!parent || isLabel(parent, key) || isWithinChain(parent, key)) return;
    const name = dottedName(node);
    if (name !== undefined) used.push({ name, node });
  });
  return used;
}

/** Names of fields, of types and of what is imported or exported are no use of a global. */
function isLabel(parent: Node, key: string): boolean {
  if (parent.type === 'MemberExpression') return key === 'property' && !parent.computed;
  if (/^(?:TSTypeQuery$|TSQualifiedName$|Import|Export)/.test(parent.type)) return true;
  return key === 'key' && !('computed' in parent && parent.computed);
}

/** The inner part of `a.b.c`, which is reported as a whole. */
function isWithinChain(parent: Node, key: string): boolean {
  return parent.type === 'MemberExpression' && key === 'object' && dottedName(parent) !== undefined;
}
