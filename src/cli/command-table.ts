import type { Argument, Command, Option } from 'commander';
import { pathsByMethod } from '../api/routes.ts';
import { buyableMarkets } from '../domain/readings.ts';
import { purchaseStates } from '../domain/purchase.ts';

/** What may stand behind an option, or as an argument. */
export type Takes =
  | { readonly kind: 'file' | 'folder' | 'anything' }
  | { readonly kind: 'words'; readonly words: readonly string[] };

export interface TableOption {
  /** `--config`, and `-o` where it has a short form. */
  readonly flags: readonly string[];
  readonly summary: string;
  /** undefined: it stands alone. */
  readonly takes: Takes | undefined;
}

/** One command of the program, as `--help` knows it. */
export interface TableCommand {
  /** Its words: none for the program itself, `notify`, `test`. */
  readonly words: readonly string[];
  readonly summary: string;
  readonly options: readonly TableOption[];
  /** Of its first argument; undefined where it takes none. */
  readonly takes: Takes | undefined;
  /** Words that its second argument may be, by what the first one is; undefined where that is not known. */
  readonly second: Readonly<Record<string, readonly string[]>> | undefined;
}

/** Every command of a program, the program itself first. */
export function commandTable(program: Command): readonly TableCommand[] {
  return tableOf(program, []);
}

const help: TableOption = { flags: ['--help', '-h'], summary: 'explain a command', takes: undefined };

function tableOf(command: Command, words: readonly string[]): TableCommand[] {
  const [argument, after] = command.registeredArguments;
  const own: TableCommand = {
    words,
    summary: command.summary(),
    options: [...command.options.filter(({ hidden }) => !hidden).map(optionOf), help],
    takes: argument && takesOf(argument.name(), argument),
    second: after?.name() === 'PATH' ? pathsByMethod : undefined,
  };
  return [own, ...command.commands.flatMap((below) => tableOf(below, [...words, below.name()]))];
}

function optionOf(option: Option): TableOption {
  const flags = [option.long, option.short].filter((flag) => flag !== undefined && flag !== null);
  const name = /<([^>]+)>/.exec(option.flags)?.[1];
  return { flags, summary: option.description, takes: name === undefined ? undefined : takesOf(name, option) };
}

/** Words that the names of values stand for, where the command reads them by itself. */
const known: Readonly<Record<string, readonly string[]>> = {
  STATE: Object.keys(purchaseStates),
  MARKET: buyableMarkets,
  WHAT: ['purchases'],
  METHOD: Object.keys(pathsByMethod),
};

function takesOf(name: string, { argChoices }: Pick<Option | Argument, 'argChoices'>): Takes {
  const words = argChoices ?? known[name];
  if (words !== undefined) return { kind: 'words', words };
  if (name.startsWith('FILE')) return { kind: 'file' };
  return { kind: name === 'DIR' ? 'folder' : 'anything' };
}
