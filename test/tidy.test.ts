import { describe, expect, it } from 'vitest';
import * as ambient from './tidy/ambient.ts';
import * as brands from './tidy/brands.ts';
import * as dangers from './tidy/dangers.ts';
import * as habits from './tidy/habits.ts';
import * as rooms from './tidy/rooms.ts';
import { inSource, lineCount, readTree, report, type Rule } from './tidy/tree.ts';
import * as words from './tidy/words.ts';

const rules: Readonly<Record<string, Rule>> = {
  'every file of src has a room': rooms.everyFileHasARoom,
  'a file imports its own room and lower rings only': rooms.importsGoInwards,
  'a package is imported in its rooms only': rooms.packagesStayInTheirRooms,
  'one file of the sandbox talks to the database': rooms.theExchangeHasOneDoorToItsBooks,
  'rings 0 to 2 know nothing of Node.js': rooms.innerRingsArePure,
  'the buying path cannot reach the treasury': rooms.theBuyingPathCannotReachTheTreasury,
  'what the treasury decides is pure': rooms.theTreasuryDecidesPurely,
  'built-in modules are imported as node:': rooms.builtInsAreNamedAsSuch,
  'relative imports end in .ts': rooms.relativeImportsEndInTs,
  'clock and randomness come as arguments, except in app': ambient.clockAndRandomComeAsArguments,
  'requests go through the gateway': ambient.requestsGoThroughTheGateway,
  'the process belongs to app and commands': ambient.theProcessBelongsToAppAndCommands,
  'streams over time live in feed and app': ambient.streamsOfTimeStayInFeedAndApp,
  'money and approval are made in one place each': brands.promisesAreMadeInOnePlace,
  'admission alone approves': brands.admissionAloneApproves,
  'no text becomes code': dangers.noTextBecomesCode,
  'statements are written down': dangers.statementsAreWrittenDown,
  'money leaves by one door': dangers.moneyLeavesByOneDoor,
  'patterns are linear': dangers.patternsAreLinear,
  'files are short': habits.filesAreShort,
  'functions are short': habits.functionsAreShort,
  'exports have names': habits.exportsHaveNames,
  'no type is any': habits.typesSayWhatTheyKnow,
  'only commands print': habits.onlyCommandsPrint,
  'signals are not combined': habits.signalsAreNotCombined,
  'every test runs': habits.everyTestRuns,
  'shared files of tests hook nothing': habits.sharedFilesHookNothing,
  'nothing is left unfinished': words.nothingIsLeftUnfinished,
  'no check is silenced': words.noCheckIsSilenced,
  'no place on one machine is named': words.noMachineIsNamed,
  'the project speaks of itself alone': words.theProjectSpeaksOfItselfAlone,
  'every document named exists': words.everyDocumentNamedExists,
  'every path named in a document exists': words.everyPathNamedExists,
  'the top level is tidy': words.theTopIsTidy,
};

/** A file of src that is longer is named when the tests run; at 300 lines it fails. */
const linesPerFileWished = 250;

describe('the tree', () => {
  const tree = readTree();

  it.each(Object.entries(rules))('%s', (_, rule) => {
    expect(report(rule(tree))).toEqual([]);
  });

  it('is read whole', () => {
    const paths = tree.map(({ path }) => path);
    const some = ['package.json', 'src/domain/money.ts', 'test/tidy.test.ts', '.ci/run', 'LICENSE'];
    expect(paths).toEqual(expect.arrayContaining(some));
    for (const { path, text } of tree.filter((file) => inSource(file.path) && lineCount(file.text) > linesPerFileWished)) {
      console.warn(`${path} has ${lineCount(text)} lines: above ${linesPerFileWished} it wants splitting`);
    }
  });

  it('is held to every rule, and every rule is tried on a planted violation', () => {
    const modules = { ...ambient, ...brands, ...dangers, ...habits, ...rooms, ...words };
    expect(new Set(Object.values(rules))).toEqual(new Set(Object.values(modules)));
    const trials = tree.filter(({ path }) => /^test\/tidy\/\w+\.test\.ts$/.test(path)).map(({ text }) => text);
    const untried = Object.keys(modules).filter((name) => !trials.some((text) => text.split(name).length > 2));
    expect(untried).toEqual([]);
  });
});
