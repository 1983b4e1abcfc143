import { printable } from '../domain/text.ts';
import type { RunningSandbox } from '../sandbox/start.ts';
import type { Io } from './io.ts';

export interface SandboxGiven {
  readonly json: boolean;
  readonly seed: number;
  readonly listings?: number;
  readonly control?: boolean;
  readonly webhooks?: { readonly url: string };
  readonly snapshotFile: string | undefined;
  /** As on the command line. */
  readonly faultsGiven: string | undefined;
  readonly dataFolder: string | undefined;
}

/** Tells where the exchange is and what opens it. Its keys are play keys: anybody with the seed can make them. */
export function showSandbox({ out }: Io, running: RunningSandbox, given: SandboxGiven): void {
  const { baseUrl, topLevelKey, childKey, childKeys, tradeUrl, controlKey } = running;
  if (given.json) return out.line(JSON.stringify({ baseUrl, topLevelKey, childKey, tradeUrl, controlKey, childKeys }));
  const market =
    given.snapshotFile === undefined
      ? `${given.listings ?? 500} listings or so, seed ${given.seed}`
      : `the listings of ${printable(given.snapshotFile, 300)}`;
  const rows: readonly (readonly [string, string])[] = [
    ['address', baseUrl],
    ['top-level key', topLevelKey],
    ['child key', childKey],
    ...childKeys.slice(1).map((key): [string, string] => ['another', key]),
    ['trade URL', tradeUrl],
    [
      'control key',
      `${controlKey} (opens /sandbox/books and /sandbox/faults${given.control === true ? ', and moves the market' : ''})`,
    ],
    ...(given.webhooks === undefined ? [] : [['webhooks', `to ${printable(given.webhooks.url, 300)}`] as const]),
    ['market', market],
    ['faults', given.faultsGiven === undefined ? 'the usual few' : printable(given.faultsGiven, 300)],
    [
      'books',
      given.dataFolder === undefined ? 'in memory: they end with the process' : `${printable(given.dataFolder, 300)}/sandbox.db`,
    ],
  ];
  out.line(out.palette.strong('The embedded exchange listens. Play money: nothing here is real.'));
  for (const [label, words] of rows) out.line(`  ${label.padEnd(15)}${words}`);
  out.line('\nFor a client of the partner API, Magpie included:');
  out.line(`  export MAGPIE_BASE_URL=${baseUrl} MAGPIE_API_KEY=${childKey}`);
  out.line(`  export MAGPIE_PARTNER_KEY=${topLevelKey}`);
  out.line(`  export MAGPIE_TRADE_URL='${tradeUrl}'`);
  out.line('\nCtrl-C ends it.');
}
