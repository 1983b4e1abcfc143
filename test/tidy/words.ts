import { posix } from 'node:path';
import { perFile, type Finding, type Rule, type SourceFile } from './tree.ts';

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

function perMatch(applies: (path: string) => boolean, pattern: RegExp, message: (word: string) => string): Rule {
  return perFile(applies, ({ path, text }) =>
    text
      .split('\n')
      .flatMap((line, index): Finding[] =>
        [...line.matchAll(pattern)].map(([word]) => ({ path, line: index + 1, message: message(word) })),
      ),
  );
}

const everywhere = (): boolean => true;

export const nothingIsLeftUnfinished: Rule = perMatch(
  everywhere,
  unfinished,
  (word) => `says ${word}: do it now, or leave it to the list of issues`,
);

export const noCheckIsSilenced: Rule = perMatch(
  (path) => /\.(?:ts|mjs)$/.test(path),
  silencers,
  (word) =>
    `says ${word}: mend what the check found (a lint rule that is wrong in one line: oxlint-disable-next-line RULE -- why)`,
);

export const noMachineIsNamed: Rule = perMatch(
  everywhere,
  placesOfOneMachine,
  (word) => `names ${word}, a place on one machine: write a path from the top of the project, or ask the system`,
);

export const theProjectSpeaksOfItselfAlone: Rule = perMatch(
  everywhere,
  storiesOfItsMaking,
  (word) => `says "${word}": say what the thing is and why, not how it came about`,
);

const documentName = /[\w-]+\.md\b/g;

export const everyDocumentNamedExists: Rule = (files) => {
  const documents = new Set(files.map(({ path }) => posix.basename(path)).filter((name) => name.endsWith('.md')));
  return perFile(everywhere, ({ path, text }: SourceFile) =>
    text.split('\n').flatMap((line, index): Finding[] =>
      [...line.matchAll(documentName)]
        .filter(([name]) => !documents.has(name))
        .map(([name]) => ({
          path,
          line: index + 1,
          message: `names ${name}, which is not here: say it in words, or name a document that is`,
        })),
    ),
  )(files);
};

/** What a reader meets at the top, and nothing else. */
const topLevel = new Set(
  (
    'src test config strategies data docs schemas scripts bench deploy .ci ' +
    'README.md ARCHITECTURE.md CONTRIBUTING.md LICENSE package.json package-lock.json ' +
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
