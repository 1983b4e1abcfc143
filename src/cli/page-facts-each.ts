import { printable } from '../domain/text.ts';
import type { LocalSettings } from '../settings/what-counts.ts';
import type { FactsOfEach, PageFacts } from '../web/page-facts.ts';
import { haltEach } from './halt.ts';
import { AccountLines, type AccountLinesOptions } from './page-accounts.ts';
import { type PageFactsOptions, createPageFacts } from './page-facts.ts';
import { ListsOfAll } from './page-lists.ts';
import { reportBytes, reportsJson } from './page-reports.ts';
import type { AllKeptOpen } from './page-sources.ts';

export interface FactsOfEachOptions extends AccountLinesOptions, Pick<PageFactsOptions, 'masked'> {
  /** The data folder of all of them. */
  readonly folder: string;
  readonly ledgers: AllKeptOpen;
  readonly onResumed: (reason: string, account: string) => void;
}

/** The facts of several accounts: a summary of all, and of each what the page of an account alone shows. */
export function createFactsOfEach(options: FactsOfEachOptions): FactsOfEach {
  const { folder, clock, names, masked } = options;
  const lines = new AccountLines(options);
  const lists = new ListsOfAll(options);
  return {
    all: {
      status: () => lines.json(),
      purchases: (asked) => lists.purchases(asked),
      alerts: (asked) => lists.alerts(asked),
      changed: () => lines.due(),
      reports: () => reportsJson(folder),
      report: (name) => reportBytes(folder, name),
      halt(reason) {
        const failed = [...haltEach(clock, masked(reason), folder, names)].flatMap((each) => ('held' in each ? [] : [each]));
        lines.forget();
        if (failed.length === 0) return;
        const words = failed.map(({ name, message }) => `${name} (${printable(message, 300)})`).join(', ');
        throw new Error(`NOT HALTED: ${words}. All others are halted. To stop buying all the same, stop Magpie itself.`);
      },
    },
    of: (account) => (names.includes(account) ? factsOf(account, options, lines) : undefined),
  };
}

function factsOf(account: string, options: FactsOfEachOptions, lines: AccountLines): PageFacts {
  const { clock, settings, ledgers, masked, onResumed } = options;
  const own = (): LocalSettings => {
    const found = settings().get(account);
    if (found === undefined) throw new Error(`the configuration has no account ${account} any more`);
    return found;
  };
  const { data: folder } = own();
  const facts = createPageFacts({
    ...{ clock, folder, settings: own, masked },
    reader: () => ledgers.reader(folder),
    onResumed: (reason) => onResumed(reason, account),
  });
  const changing = (write: (reason: string) => void) => (reason: string) => {
    write(reason);
    lines.forget();
  };
  return { ...facts, halt: changing((reason) => facts.halt(reason)), resume: changing((reason) => facts.resume(reason)) };
}
