import { posix } from 'node:path';
import { perFile, type Finding, type Rule } from './tree.ts';

// Each word is written with a dot in its middle, so that these lists do not break the rules they serve.
const whole = (dotted: string): string => dotted.replace('·', '');
const anyOf = (dotted: readonly string[], flags: string): RegExp => new RegExp(dotted.map(whole).join('|'), flags);

const unfinished = anyOf(['\\bTO·DO\\b', '\\bFIX·ME\\b', '\\bXX·X\\b', '\\bHA·CK\\b'], 'g');

const silencers = anyOf(['@ts-ig·nore', '@ts-no·check', '@ts-exp·ect-error', 'eslint-dis·able'], 'g');

const placesOfOneMachine = anyOf(['/wo·rk/', '/ro·ot/', '/ho·me/\\w', '/Us·ers/\\w', '\\.\\./sha·red/'], 'g');

const storiesOfItsMaking = anyOf(
  [
    '\\bcl·aude\\b',
    '\\banth·ropic\\b',
    '\\bopen·ai\\b',
    '\\bchat·gpt\\b',
    '\\bcop·ilot\\b',
    '\\blanguage mo·del',
    '\\bL·LM',
    '\\bsub·-?agent',
    '\\bcoding ag·ent',
    'co-auth·ored-by',
    '\\biss·ue #?\\d',
    '\\bpull req·uest',
    '\\bth·e brief\\b',
  ],
  'gi',
);

/** A rule on the words of each line: `judge` says what is wrong with a word, if anything. */
function perWord(applies: (path: string) => boolean, pattern: RegExp, judge: (word: string) => string | undefined): Rule {
  return perFile(applies, ({ path, text }) =>
    text.split('\n').flatMap((line, index) =>
      [...line.matchAll(pattern)].flatMap(([word]): Finding[] => {
        const message = judge(word);
        return message === undefined ? [] : [{ path, line: index + 1, message }];
      }),
    ),
  );
}

const everywhere = (): boolean => true;

export const nothingIsLeftUnfinished: Rule = perWord(
  everywhere,
  unfinished,
  (word) => `says ${word}: do it now, or leave it to the list of issues`,
);

export const noCheckIsSilenced: Rule = perWord(
  (path) => /\.(?:ts|mjs)$/.test(path),
  silencers,
  (word) =>
    `says ${word}: mend what the check found (a lint rule that is wrong in one line: oxlint-disable-next-line RULE -- why)`,
);

export const noMachineIsNamed: Rule = perWord(
  everywhere,
  placesOfOneMachine,
  (word) => `names ${word}, a place on one machine: write a path from the top of the project, or ask the system`,
);

export const theProjectSpeaksOfItselfAlone: Rule = perWord(
  everywhere,
  storiesOfItsMaking,
  (word) => `says "${word}": say what the thing is and why, not how it came about`,
);

const documentName = /[\w-]+\.md\b/g;

export const everyDocumentNamedExists: Rule = (files) => {
  const documents = new Set(files.map(({ path }) => posix.basename(path)));
  const gone = (name: string): string => `names ${name}, which is not here: say it in words, or name a document that is`;
  return perWord(everywhere, documentName, (name) => (documents.has(name) ? undefined : gone(name)))(files);
};

const pathName = /(?<![\w./-])(?:src|test|scripts|docs|schemas|bench|deploy|\.ci|[a-z]+(?=\/[\w/-]+\.ts\b))\/[\w./-]*\w/g;

/** What the documents say of the tree stays true: a path may leave out the `src/` before a room. */
export const everyPathNamedExists: Rule = (files) => {
  const paths = new Set(files.flatMap(({ path }) => [path, ...foldersAbove(path)]));
  const exists = (name: string): boolean => paths.has(name) || paths.has(`src/${name}`);
  const gone = (name: string): string => `names ${name}, which is not here: name what took its place`;
  return perWord(
    (path) => path.endsWith('.md'),
    pathName,
    (name) => (exists(name) ? undefined : gone(name)),
  )(files);
};

function foldersAbove(path: string): string[] {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}

/** What a reader meets at the top, and nothing else. */
const topLevel = new Set(
  (
    'src test config strategies data docs schemas scripts bench deploy .ci ' +
    'README.md ARCHITECTURE.md CONTRIBUTING.md SECURITY.md LICENSE package.json package-lock.json ' +
    'tsconfig.json tsconfig.build.json vitest.config.ts vitest.full.config.ts knip.jsonc ' +
    '.oxlintrc.json .oxfmtrc.json .editorconfig .gitignore'
  ).split(' '),
);

export const theTopIsTidy: Rule = (files) => {
  const names = new Set(files.map(({ path }) => path.split('/')[0] ?? ''));
  return [...names]
    .filter((name) => !topLevel.has(name))
    .map((name) => ({
      path: name,
      line: 1,
      message: 'stands at the top: put it into a folder that is there, or name it in test/tidy/words.ts',
    }));
};
