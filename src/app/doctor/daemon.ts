import type { EpochMs } from '../../domain/clock.ts';
import { printable } from '../../domain/text.ts';
import { openReader } from '../../ledger/open.ts';
import type { Settings } from '../../settings/settings.ts';
import { healthOf } from './answers.ts';
import { type Finding, bad, doubt, good } from './finding.ts';
import { rateFinding } from './service.ts';

/** A daemon gives a sign of life each second. */
const QUIET_MS = 10_000;

/** A poll that is older than this many intervals, and than this, has failed a few times. */
const POLLS_LATE = 5;
const POLL_LATE_MS = 15_000;

export interface DaemonLook {
  readonly settings: Pick<Settings, 'data' | 'feed' | 'rate'>;
  /** Of this package. */
  readonly version: string;
  readonly now: EpochMs;
}

/** What the daemon that runs on the data folder says of itself and of the service: it asks that all the time, so nobody else need. */
export function daemonFindings({ settings, version, now }: DaemonLook): readonly Finding[] {
  const opened = openReader(settings.data);
  if (!opened.ok) return [doubt('daemon', opened.fault.message, 'look again in a few seconds')];
  const ledger = opened.value;
  try {
    const heartbeat = ledger.heartbeat();
    if (heartbeat === undefined || now - heartbeat.at > QUIET_MS)
      return [
        bad(
          'daemon',
          'a process holds the data folder and gives no sign of life: it is starting, or stuck',
          'look at its log; if it stays so, restart it',
        ),
      ];
    const { pid, lastPollAt, health, blockers } = heartbeat;
    const halts = ledger
      .standingHalts()
      .map(({ reason }) =>
        doubt('halt', `buying is halted: ${printable(reason, 300)}`, '`magpie resume` when the reason is gone'),
      );
    return [
      good('daemon', `process ${pid} is at work: what follows it has found out, and nothing was sent for this`),
      ...versionOf(heartbeat.version, version),
      pollFinding(lastPollAt, settings.feed.intervalMs, now),
      ...(health === undefined ? [] : healthOf(health, settings.feed.health, now)),
      rateFinding(settings, false, ledger.slowUntil(), now),
      ...blockers.map(({ reason, detail }) =>
        doubt('buying', `closed: ${printable(detail, 300)} (${reason})`, 'docs/reasons.md says what to do about it, if anything'),
      ),
      ...halts,
      ...(blockers.length + halts.length === 0 ? [good('buying', 'open, as far as key, clock, balance and journal go')] : []),
    ];
  } finally {
    ledger.close();
  }
}

function versionOf(running: string, installed: string): readonly Finding[] {
  if (running === installed) return [];
  return [
    doubt(
      'version',
      `the daemon is still Magpie ${printable(running, 60)}, and ${installed} is installed`,
      'restart it when it suits you',
    ),
  ];
}

function pollFinding(at: EpochMs | undefined, intervalMs: number, now: EpochMs): Finding {
  const next = 'look at the log of the daemon: it says why polls fail';
  if (at === undefined) return doubt('service', 'the listings have not been read since the start', next);
  const age = now - at;
  const words = `the listings were read ${(age / 1_000).toFixed(1)} s ago`;
  return age > Math.max(POLL_LATE_MS, POLLS_LATE * intervalMs)
    ? bad('service', words, next)
    : good('service', `${words}: key and address are right`);
}
