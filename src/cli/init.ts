import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Command } from 'commander';
import { micros } from '../domain/money.ts';
import { counted, printable } from '../domain/text.ts';
import { checkFiles } from '../settings/check.ts';
import { shownPath, whyUnreadable } from '../settings/text-file.ts';
import { readVariables } from '../settings/variables.ts';
import { type AddCommand, type SharedOptions, examples } from './command.ts';
import { CommandFailure, type ExitCode, exits } from './exit.ts';
import { showFaults } from './faults.ts';
import { quoted } from './hints.ts';
import { CONFIG_FILE, ENV_FILE, type EnvValues, type NewFile, newFiles } from './init-files.ts';
import { type Answers, type Given, answersOf } from './init-questions.ts';
import type { Io } from './io.ts';

interface InitOptions extends SharedOptions, Omit<Given, 'topLevel' | 'baseUrl'> {
  readonly service?: string;
  readonly health?: boolean;
  readonly sandbox?: boolean;
  readonly yes?: boolean;
}

/** Where `magpie sandbox` is, and the seed that its keys are made of, unless it is told otherwise. */
const SANDBOX = { baseUrl: 'http://127.0.0.1:4010', seed: 7 } as const;

export const addInit: AddCommand = (program, { io, run }) => {
  program
    .command('init')
    .summary('write a first configuration, .env and strategy')
    .description(
      'Asks a few questions, and writes a commented configuration (a dry run), a file .env for the keys that only you can read, and a first strategy. Nothing that is there is ever overwritten.',
    )
    .argument('[DIR]', 'the folder, made when it is missing', '.')
    .option('--yes', 'ask nothing: take what the options say, and for the rest what is usual')
    .option('--sandbox', 'for `magpie sandbox`, with its keys: play money, to try everything')
    .option('--service <ADDRESS>', 'where the service is')
    .option('--no-health', 'there is no top-level key, which alone may read market health: buy without knowing it')
    .option('--max-price <DOLLARS>', 'of one purchase (default: 20)')
    .option('--per-day <DOLLARS>', 'spend in any 24 hours (default: 100)')
    .option('--in-all <DOLLARS>', 'spend in all (default: 500)')
    .option('--item <NAME>', 'what the first strategy buys; * for anything (default: AK-47 | *)')
    .option('--of-steam <PERCENT>', "of Steam's price, at most (default: 65)")
    .addHelpText('after', examples('magpie init ~/magpie', 'magpie init play --sandbox --yes'))
    .action((dir: string, _: unknown, command: Command) => run(() => init(io, dir, command.optsWithGlobals<InitOptions>())));
};

async function init(io: Io, dir: string, options: InitOptions): Promise<ExitCode> {
  if (options.config !== undefined)
    throw new CommandFailure(exits.wrong, `init writes DIR/${CONFIG_FILE}: name the folder alone`);
  const ask = options.yes === true ? undefined : io.ask;
  if (ask === undefined && options.yes !== true) {
    const words =
      'This is no terminal that can be asked. → `magpie init DIR --yes` takes what is usual; `magpie init --help` shows the options';
    throw new CommandFailure(exits.wrong, words);
  }
  const folder = resolve(io.cwd, dir);
  const shown = (name: string): string => printable(shownPath(join(folder, name), io.cwd), 500);
  refuseToOverwrite(folder, shown);
  const answers = await answersOf(givenBy(options), wantedFor(options), ask, (message) => io.out.line(message));
  const files = newFiles(answers, await envFor(options, answers), dataFor(io, options));
  write(folder, files, shown);
  io.out.line(
    `${io.out.palette.good('Wrote')} ${files
      .slice(0, 3)
      .map(({ name }) => shown(name))
      .join(', ')} and, for your editor, ${shown('schemas')}`,
  );
  const isSound = checked(io, folder);
  const steps = nextSteps(quoted(shown(CONFIG_FILE), 'FILE'), shown(ENV_FILE), options.sandbox === true);
  if (isSound) for (const line of steps) io.out.line(line);
  return isSound ? exits.done : exits.wrong;
}

function givenBy({ health, sandbox, service, ...rest }: InitOptions): Given {
  const { maxPrice, perDay, inAll, item, ofSteam } = rest;
  const baseUrl = service ?? (sandbox === true ? SANDBOX.baseUrl : undefined);
  const all = { baseUrl, topLevel: health, maxPrice, perDay, inAll, item, ofSteam };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

function wantedFor({ sandbox }: InitOptions): readonly (keyof Answers)[] {
  const ofService = sandbox === true ? [] : (['baseUrl', 'topLevel'] as const);
  return [...ofService, 'maxPrice', 'perDay', 'inAll', 'item', 'ofSteam'];
}

/** Play keys are the same at every start, and no secret. */
async function envFor({ sandbox }: InitOptions, { baseUrl }: Answers): Promise<EnvValues> {
  if (sandbox !== true) return { baseUrl, apiKey: '', partnerKey: '', tradeUrl: '' };
  const { accountsOf } = await import('../sandbox/accounts.ts');
  const [top, child] = accountsOf(SANDBOX.seed, 1, micros(0));
  return { baseUrl, apiKey: child?.key ?? '', partnerKey: top?.key ?? '', tradeUrl: child?.tradeUrl ?? '' };
}

function dataFor(io: Io, { data }: InitOptions): string {
  return data === undefined ? './data' : resolve(io.cwd, data);
}

const written = [CONFIG_FILE, ENV_FILE, 'strategies/first.yaml', 'schemas/config.schema.json', 'schemas/strategy.schema.json'];

function refuseToOverwrite(folder: string, shown: (name: string) => string): void {
  const there = written.filter((name) => existsSync(join(folder, name)));
  if (there.length === 0) return;
  const words = `${there.map(shown).join(', ')}: there already, and nothing is ever overwritten. Nothing was written. → name another folder`;
  throw new CommandFailure(exits.wrong, words);
}

/** All of them or none. */
function write(folder: string, files: readonly NewFile[], shown: (name: string) => string): void {
  const made: string[] = [];
  for (const { name, text, mode } of files) {
    const path = join(folder, name);
    try {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text, { flag: 'wx', mode });
      made.push(path);
      chmodSync(path, mode);
    } catch (error) {
      for (const one of made) rmSync(one, { force: true });
      const { message, suggestion } = whyUnwritable(error);
      throw new CommandFailure(exits.failed, `${shown(name)}: ${message}. Nothing was written. → ${suggestion}`);
    }
  }
}

function whyUnwritable(error: unknown): { message: string; suggestion: string } {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'EEXIST') return { message: 'it is there already', suggestion: 'name another folder' };
  if (code === 'ENOSPC') return { message: 'the disk is full', suggestion: 'free some space' };
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS')
    return { message: 'may not be written by this user', suggestion: 'name a folder that is yours' };
  return { message: whyUnreadable(error, 'folder').message, suggestion: 'name another folder' };
}

/** By the code that `check` runs; what is to be filled in counts as filled in. */
function checked(io: Io, folder: string): boolean {
  const config = join(folder, CONFIG_FILE);
  const { env } = readVariables({ env: io.env, cwd: io.cwd, config });
  const filledIn = { MAGPIE_BASE_URL: 'https://example.invalid', MAGPIE_API_KEY: 'to-be-filled-in' };
  const known = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const { ok, faults, warnings, counts } = checkFiles({ files: [], config, env: { ...filledIn, ...known }, cwd: io.cwd });
  showFaults(io.out, faults, 'fault');
  showFaults(io.out, warnings, 'warning');
  const looked = `Checked: configuration and ${counted(counts.strategies, 'strategy', 'strategies')}`;
  io.out.line(
    ok ? `${looked}, no faults.` : `${looked}. Mend the faults; \`magpie check --config ${quoted(config, 'FILE')}\` looks again.`,
  );
  return ok;
}

function nextSteps(config: string, env: string, sandbox: boolean): readonly string[] {
  const first = sandbox
    ? ['In another terminal, and leave it running:', '    magpie sandbox --port 4010']
    : [`Put the address and your keys into ${env}.`];
  return [
    '',
    'Next:',
    ...first,
    'Then see whether everything is as it should be, and what would be bought now:',
    `    magpie doctor --config ${config}`,
    `    magpie run --once --config ${config}`,
  ];
}
