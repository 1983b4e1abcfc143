import type { Command } from 'commander';
import { SystemClock } from '../../../src/app/system-clock.ts';
import { createProgram } from '../../../src/cli/program.ts';
import { createIo } from '../../../src/cli/io.ts';
import type { Clock } from '../../../src/domain/clock.ts';
import { Signals, magpie } from '../../cli/harness.ts';
import { planted, plantedTradeUrl } from './planted-secrets.ts';

const { apiKey, partnerKey, tradeToken, webToken } = planted;

/** What each command of the table is asked, with secrets where a slip of the hand would put them. `--json` and `--csv` come by themselves. */
const asked: Readonly<Record<string, readonly (readonly string[])[]>> = {
  init: [['made', '--yes', '--no-health']],
  run: [['--once'], ['--for', '1s', '--dry-run'], [`--api-key=${apiKey}`]],
  sandbox: [['--port', '0', '--listings', '5']],
  check: [[], ['magpie.yaml', `${webToken}.yaml`], ['--defaults'], ['--replay', '1h']],
  doctor: [[]],
  why: [['1000'], ['1003'], [apiKey], ['--id', '1001', '--market', 'c5game']],
  status: [[], ['--alive']],
  purchases: [[], ['1'], [`--state=${apiKey}`]],
  backtest: [['--from', '1h', '--min-coverage', '0', '--report', 'report.html']],
  sweep: [['--strategy', 'strategies/wants.yaml', '--vary', 'price.max=1,2', '--workers', '1', '--min-coverage', '0']],
  calibrate: [[]],
  buy: [
    ['1000', '--market', 'c5game'],
    [apiKey, '--market', 'c5game'],
  ],
  reconcile: [[]],
  audit: [[]],
  resolve: [['1', '--as', 'bought', '--reason', `${apiKey} and ${tradeToken}`]],
  halt: [['--reason', `${partnerKey} ${plantedTradeUrl}`]],
  resume: [[]],
  'notify test': [[]],
  backup: [['copy.db'], []],
  restore: [['copy.db'], [`${webToken}.db`]],
  export: [['purchases'], ['purchases', '--output', 'purchases.csv'], [apiKey]],
  record: [['--for', '1s']],
  'recording info': [[]],
  'recording verify': [[]],
  'recording trim': [['--max-size', '1GB']],
  'recording compact': [[]],
  'recording merge': [['merged.db', 'data/recording.db']],
  'recording export': [
    ['--output', 'shared.ndjson.gz'],
    ['--output', 'all.ndjson.gz', '--everything'],
  ],
  'recording import': [['shared.ndjson.gz', 'imported.db']],
  search: [['redline'], [apiKey]],
  wallet: [[]],
  ledger: [[]],
  transactions: [[]],
  fees: [[]],
  'partner users': [['shop@example.com', '--key-file', 'keys/shop.env'], ['shop@example.com'], [], [partnerKey]],
  'partner transfer': [
    ['--to', 'shop@example.com', '--amount', '1', '--purpose', partnerKey, '--yes'],
    ['--to', apiKey],
  ],
  'partner stats': [[], ['--by-merchant']],
  'treasury run': [['--once'], ['--once', '--dry-run'], ['--for', '1s']],
  'treasury status': [[]],
  'treasury transfers': [[]],
  'treasury halt': [['--reason', `${partnerKey} ${apiKey}`]],
  'treasury resume': [[]],
  'treasury settle': [['1', '--as', 'never', '--reason', apiKey]],
  api: [
    ['GET', '/v1/user'],
    ['GET', '/v1/user/orders'],
    ['GET', '/v2/market/search', '--query', `q=${apiKey}`],
    ['--describe', 'POST', '/v1/partner/transfers'],
    ['GET', `/v1/${partnerKey}`],
  ],
  conformance: [['--read-only']],
  completion: [['bash'], ['zsh'], ['fish'], [apiKey]],
};

interface Leaf {
  readonly path: string;
  readonly options: ReadonlySet<string>;
}

/** Every command that does something, of the table itself, so that none can be forgotten. */
function leavesOf(command: Command, path: readonly string[] = []): Leaf[] {
  if (command.commands.length > 0) return command.commands.flatMap((each) => leavesOf(each, [...path, each.name()]));
  return [{ path: path.join(' '), options: new Set(command.options.flatMap(({ long }) => long ?? [])) }];
}

const silent = { write: () => undefined, isTerminal: false, columns: undefined };

function table(): Leaf[] {
  const parts = { stdout: silent, stderr: silent, env: {}, cwd: '/', clock: new SystemClock(), onSignal: () => () => undefined };
  return leavesOf(createProgram({ io: createIo({ ...parts, parent: undefined }), run: () => Promise.resolve() }));
}

/** Commands of the table that nothing is asked of, and questions to commands that there are none of. */
export function forgotten(): string[] {
  const [there, said] = [table().map(({ path }) => path), Object.keys(asked)];
  return [...there.filter((path) => !said.includes(path)), ...said.filter((path) => !there.includes(path))];
}

/** What one command line said. */
export interface Answer {
  readonly line: string;
  readonly code: number;
  readonly said: string;
}

/** What a command is left to say in. */
const PATIENCE_MS = 2_500;

/** The same time as everybody's, but nobody waits for long. */
function hasty(): Clock {
  const real = new SystemClock();
  const after: Clock['after'] = (wait, work) => real.after(Math.min(wait, 400), work);
  return { now: () => real.now(), wall: () => real.wall(), mono: () => real.mono(), after };
}

/** Commands that ask neither the service nor a daemon, and take long: beside one and without the other they say the same. */
const local = /^(?:init|sandbox|backtest|sweep|calibrate|backup|recording .*|completion)$/;

/** Asks every command of the table in a folder, or only those that ask somebody else, in each form that it has. */
export async function answersOfEvery(
  cwd: string,
  env: Readonly<Record<string, string>>,
  which: 'all' | 'asking' = 'asking',
): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (const { path, options } of table().filter(({ path: each }) => which === 'all' || !local.test(each))) {
    const config = path.startsWith('treasury') ? 'treasury.yaml' : 'magpie.yaml';
    const forms = ['', '--json', '--csv'].filter((form) => form === '' || options.has(form));
    for (const given of asked[path] ?? []) {
      for (const form of forms) {
        const args = [...path.split(' '), ...given, ...(form === '' ? [] : [form]), '--config', config];
        const signals = new Signals();
        // What ends by a signal alone gets one at once, and what settles or asks again for long is not waited for.
        const patience = setTimeout(() => signals.send('SIGINT'), path === 'sandbox' ? 300 : PATIENCE_MS);
        const { code, out, err } = await magpie(args, { cwd, env, clock: hasty(), signals });
        clearTimeout(patience);
        answers.push({ line: args.join(' '), code, said: out + err });
      }
    }
  }
  return answers;
}
