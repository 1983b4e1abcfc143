import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { exits } from '../../src/cli/exit.ts';
import { freshFolder } from '../e2e/fresh-folder.ts';
import { isInstalled, ran } from '../support/programs.ts';

const unit = readFileSync(new URL('../../deploy/magpie.service', import.meta.url), 'utf8');

/** Exposure as systemd counts it, from 0 to 100: below this is what it calls OK, above 40 what it calls medium. */
const EXPOSURE_MAX = 20;

/** As it would be installed; the program is one that is there on this machine. */
function installed(text = unit): string {
  const path = join(freshFolder(), 'magpie.service');
  writeFileSync(path, text.replace(/^ExecStart=magpie /m, `ExecStart=${process.execPath} `));
  return path;
}

const settings = (key: string): string[] => [...unit.matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map(([, value]) => value ?? '');

describe('the unit for systemd', () => {
  it.runIf(isInstalled('systemd-analyze'))('has nothing that systemd-analyze verify finds', () => {
    expect(ran('systemd-analyze', ['verify', '--man=no', installed()])).toEqual({ code: 0, out: '', err: '' });
    const slip = ran('systemd-analyze', ['verify', '--man=no', installed(unit.replace('ProtectHome=', 'ProtectHomes='))]);
    expect(slip.err, 'which would find a slip').toContain('ProtectHomes');
  });

  it.runIf(isInstalled('systemd-analyze'))('leaves the program little that it could do harm with', () => {
    const { code, out } = ran('systemd-analyze', [
      'security',
      '--offline=true',
      `--threshold=${EXPOSURE_MAX}`,
      '--no-pager',
      installed(),
    ]);
    expect(out).toContain('Overall exposure level');
    expect(code).toBe(0);
  });

  it('hands the keys over as a credential, and nowhere else', () => {
    expect(settings('LoadCredential')).toEqual(['magpie.env:/etc/magpie/.env']);
    expect(settings('ExecStart')).toEqual(['magpie run --config /etc/magpie/live.yaml --env-file %d/magpie.env']);
    expect(settings('EnvironmentFile')).toEqual([]);
    expect(settings('Environment')).toEqual(['NODE_ENV=production', 'MAGPIE_DATA=%S/magpie']);
  });

  it('writes no core dump and no report of Node.js, which would hold the keys [S4]', () => {
    expect(settings('LimitCORE')).toEqual(['0']);
    expect(unit).not.toMatch(/NODE_OPTIONS|--report/);
  });

  it('does not start again what a person must mend, and lets a stop take its ten seconds', () => {
    expect(settings('RestartPreventExitStatus')).toEqual([`${exits.wrong} ${exits.held}`]);
    expect(settings('Restart')).toEqual(['on-failure']);
    expect(settings('TimeoutStopSec')).toEqual(['30']);
    expect(settings('KillMode')).toEqual(['mixed']);
    expect(settings('ExecReload')).toEqual(['/bin/kill -HUP $MAINPID']);
  });
});
