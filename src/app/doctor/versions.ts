import { sqliteFault } from '../../ledger/connection.ts';
import { withSteps } from '../../ledger/failure.ts';
import { newestVersion } from '../../ledger/migrate.ts';
import { openReader } from '../../ledger/open.ts';
import { type Finding, bad, good } from './finding.ts';

export interface Installed {
  /** Of this package. */
  readonly version: string;
  /** `engines.node` of this package. */
  readonly engines: string;
  /** Of the Node.js that runs it, such as 20.19.0. */
  readonly node: string;
}

/** Magpie, Node.js and SQLite, and whether they go together. */
export function versionFindings({ version, engines, node }: Installed): readonly Finding[] {
  const sqlite = sqliteFault();
  return [
    good('version', `Magpie ${version}`),
    supports(engines, node)
      ? good('node', `Node.js ${node}`)
      : bad('node', `Node.js ${node} is not among those that Magpie is made for (${engines})`, 'install one of those'),
    sqlite.fault === undefined ? good('sqlite', `SQLite ${sqlite.version}`) : badSqlite(sqlite.fault),
  ];
}

function badSqlite(fault: string): Finding {
  const [words = fault, next = 'install Magpie again, or a newer one'] = fault.split('\n→ ');
  return bad('sqlite', words, next);
}

/** Whether a version is within a range such as `^20.19.0 || >=24.0.0`. */
function supports(range: string, version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return range.split('||').some((one) => {
    const [, sign, least, leastMinor] = /(\^|>=)(\d+)\.(\d+)/.exec(one) ?? [];
    if (major === Number(least)) return minor >= Number(leastMinor);
    return sign === '>=' && major > Number(least);
  });
}

/** The ledger of a data folder: whether this version can work with it. */
export function ledgerFinding(folder: string): Finding {
  const opened = openReader(folder);
  if (opened.ok) {
    opened.value.close();
    return good('ledger', `version ${newestVersion()}, as this Magpie writes it`);
  }
  const { kind, message } = opened.fault;
  if (kind === 'missing') return good('ledger', 'none yet: `magpie run` makes one');
  if (kind === 'older') return good('ledger', `${message}, which keeps a backup and upgrades it`);
  if (kind === 'restoring') return good('ledger', message);
  const [words = message, ...steps] = withSteps(opened.fault).split('\n');
  return bad(
    'ledger',
    words,
    steps.length === 0
      ? 'see whether `data:` names the right folder, and whether this user may read it'
      : steps.join('\n').replace(/^→ /, ''),
  );
}
