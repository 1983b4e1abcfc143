import { posix } from 'node:path';
import { importsOf, type Import } from './syntax.ts';
import { inSource, isTypeScript, perFile, type Finding, type Rule, type SourceFile } from './tree.ts';

/** The rooms of src, by ring: a file may import its own room and lower rings. */
const rings: readonly (readonly string[])[] = [
  ['domain', 'api'],
  ['strategy', 'risk'],
  ['engine'],
  ['settings', 'gateway', 'feed', 'execution', 'ledger', 'replay', 'notify', 'monitor'],
  ['sandbox', 'web'],
  ['app', 'treasury'],
  ['cli', 'client'],
];

/** Up to this ring there is nothing but arithmetic on values: no files, no network, no clock. */
const lastPureRing = 2;

/** Which rooms may import a package. */
const roomsOfPackage: Readonly<Record<string, readonly string[]>> = {
  zod: ['api', 'strategy', 'settings', 'client'],
  ajv: ['api'],
  'csgo-fade-percentage-calculator': ['strategy'],
  undici: ['gateway', 'notify', 'client'],
  bottleneck: ['gateway'],
  'better-sqlite3': ['ledger', 'replay', 'sandbox'],
  hyparquet: ['replay'],
  'hyparquet-writer': ['replay'],
  '@bokuweb/zstd-wasm': ['replay'],
  yaml: ['settings'],
  rxjs: ['feed', 'app'],
  fastify: ['sandbox', 'web'],
  pino: ['app'],
  tinypool: ['app'],
  commander: ['cli'],
  'cli-table3': ['cli'],
  picocolors: ['app', 'cli'],
  preact: ['web'],
  '@preact/signals': ['web'],
  vite: ['web'],
};

const roomOf = (path: string): string => path.split('/')[1] ?? '';
const ringOf = (room: string): number => rings.findIndex((rooms) => rooms.includes(room));
const packageOf = (specifier: string): string => specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');

function perImport(applies: (path: string) => boolean, judge: (file: SourceFile, imported: Import) => string | undefined): Rule {
  return perFile(applies, (file) =>
    importsOf(file).flatMap((imported): Finding[] => {
      const message = judge(file, imported);
      return message === undefined ? [] : [{ path: file.path, line: imported.line, message }];
    }),
  );
}

export const everyFileHasARoom: Rule = perFile(inSource, ({ path }) => {
  if (ringOf(roomOf(path)) >= 0 && path.split('/').length > 2) return [];
  return [{ path, line: 1, message: `is in no room: put it into one of ${rings.flat().join(', ')}` }];
});

export const importsGoInwards: Rule = perImport(inSource, ({ path }, { specifier }) => {
  if (!specifier.startsWith('.')) return undefined;
  const target = posix.join(posix.dirname(path), specifier);
  if (!target.startsWith('src/')) return `imports ${specifier} from outside src: read it at run time, or move it into a room`;
  const [own, other] = [roomOf(path), roomOf(target)];
  if (own === other || ringOf(other) < ringOf(own)) return undefined;
  return (
    `${own} (ring ${ringOf(own)}) imports ${other} (ring ${ringOf(other)}): take what you need as an argument, ` +
    'with its type in the port of a lower ring'
  );
});

export const packagesStayInTheirRooms: Rule = perImport(inSource, ({ path }, { specifier }) => {
  if (specifier.startsWith('.') || specifier.startsWith('node:')) return undefined;
  const rooms = roomsOfPackage[packageOf(specifier)];
  if (!rooms)
    return `imports ${specifier}, which has no room: name its rooms in test/tidy/rooms.ts, and why it is needed in ARCHITECTURE.md`;
  if (rooms.includes(roomOf(path))) return undefined;
  return `imports ${specifier}, which lives in ${rooms.join(' and ')}: go through that room's functions`;
});

export const theExchangeHasOneDoorToItsBooks: Rule = (files) => {
  const users = files.filter(
    (file) =>
      inSource(file.path) &&
      roomOf(file.path) === 'sandbox' &&
      importsOf(file).some(({ specifier }) => specifier === 'better-sqlite3'),
  );
  return users.slice(1).map(({ path }) => ({
    path,
    line: 1,
    message: `imports better-sqlite3 as ${users[0]?.path} does: in the sandbox one file alone talks to the database`,
  }));
};

export const innerRingsArePure: Rule = perImport(inSource, ({ path }, { specifier }) => {
  if (!specifier.startsWith('node:') || ringOf(roomOf(path)) > lastPureRing) return undefined;
  return `imports ${specifier} in ring ${ringOf(roomOf(path))}: rings 0 to ${lastPureRing} are pure, take the value as an argument`;
});

/** What may reach the treasury: its own room, and the commands that are about it. */
const treasurers = /^src\/(?:treasury\/|cli\/(?:treasury(?:-[a-z-]+)?|partner-stats)\.ts$)/;

export const theBuyingPathCannotReachTheTreasury: Rule = perImport(inSource, ({ path }, { specifier }) => {
  const target = posix.join(posix.dirname(path), specifier);
  if (!specifier.startsWith('.') || !target.startsWith('src/treasury/') || treasurers.test(path)) return undefined;
  return 'imports the treasury, which moves money between accounts: only its own commands (src/cli/treasury….ts) may reach it';
});

export const theTreasuryDecidesPurely: Rule = perImport(
  (path) => path.startsWith('src/treasury/decide/'),
  ({ path }, { specifier }) => {
    const target = specifier.startsWith('.') ? posix.join(posix.dirname(path), specifier) : '';
    if (target.startsWith('src/domain/') || target.startsWith('src/treasury/decide/')) return undefined;
    return `imports ${specifier}: what the treasury decides with is pure, take the value as an argument`;
  },
);

export const builtInsAreNamedAsSuch: Rule = perImport(isTypeScript, (_, { specifier }) =>
  /^(?:fs|path|os|url|util|http|https|net|crypto|events|stream|zlib|child_process|timers|worker_threads|perf_hooks)(?:\/|$)/.test(
    specifier,
  )
    ? `imports ${specifier}: write node:${specifier}`
    : undefined,
);

export const relativeImportsEndInTs: Rule = perImport(isTypeScript, ({ path }, { specifier }) => {
  if (specifier === '(computed)' && inSource(path))
    return 'loads a module by a computed name: name it in the code, or no rule can see it';
  if (!specifier.startsWith('.') || isTypeScript(specifier)) return undefined;
  return `imports ${specifier}: write the file's own ending, .ts`;
});
