import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { freshPlace } from '../app/stage.ts';

const rules = fileURLToPath(new URL('../../deploy/prometheus/magpie-alerts.yml', import.meta.url));
const promtool = (...words: string[]): ReturnType<typeof spawnSync> => spawnSync('promtool', words, { encoding: 'utf8' });
const hasPromtool = promtool('--version').status === 0;

const HOUR_MINUTES = 60;
const place = 'instance="here", job="magpie"';
const purse = 'instance="there", job="magpie-treasury"';

/** A daemon that is well, and a treasury, minute by minute, in Prometheus' notation for series. */
const well: Readonly<Record<string, string>> = {
  [`up{${place}}`]: '1x180',
  [`magpie_poll_age_seconds{${place}}`]: '2x180',
  [`magpie_poll_interval_seconds{${place}}`]: '1x180',
  [`magpie_reconciliation_age_seconds{${place}}`]: '30x180',
  [`magpie_ready{${place}}`]: '1x180',
  [`magpie_halted{${place}}`]: '0x180',
  [`magpie_unknown_purchases{${place}}`]: '0x180',
  [`magpie_buying_open{${place}, market="c5game"}`]: '1x180',
  [`magpie_buying_open{${place}, market="ecosteam"}`]: '0x180',
  [`magpie_free_dollars{${place}}`]: '100x180',
  [`magpie_low_balance_dollars{${place}}`]: '30x180',
  [`magpie_key_refused{${place}}`]: '0x180',
  [`magpie_channel_failing{${place}, channel="discord"}`]: '0x180',
  [`magpie_disk_free_bytes{${place}}`]: '900000000x180',
  [`magpie_disk_min_free_bytes{${place}}`]: '200000000x180',
  [`magpie_spend_dollars{${place}, window="day"}`]: '50x180',
  [`magpie_spend_limit_dollars{${place}, window="day"}`]: '100x180',
  [`magpie_spend_dollars{${place}, window="total"}`]: '5000x180',
  [`magpie_open_purchases{${place}}`]: '3x180',
  [`magpie_open_purchases_limit{${place}}`]: '200x180',
  [`magpie_strategy_spend_dollars{${place}, strategy="s", window="day"}`]: '1x180',
  [`magpie_strategy_spend_limit_dollars{${place}, strategy="s", window="day"}`]: '10x180',
  [`magpie_strategy_purchases{${place}, strategy="s", window="hour"}`]: '0x180',
  [`magpie_strategy_purchases_limit{${place}, strategy="s", window="hour"}`]: '5x180',
  [`magpie_last_backup_timestamp_seconds{${place}}`]: '0x180',
  [`magpie_backup_interval_seconds{${place}}`]: '86400x180',
  [`magpie_recording_paused{${place}}`]: '0x180',
  [`magpie_last_reload_successful{${place}}`]: '1x180',
  [`magpie_too_many_requests_total{${place}, endpoint="liveListings"}`]: '0x180',
  [`up{${purse}}`]: '1x180',
  [`magpie_disk_free_bytes{${purse}}`]: '900000000x180',
  [`magpie_disk_min_free_bytes{${purse}}`]: '200000000x180',
  [`magpie_treasury_round_late{${purse}}`]: '0x180',
  [`magpie_treasury_halted{${purse}}`]: '0x180',
  [`magpie_treasury_oldest_open_seconds{${purse}}`]: '0x180',
  [`magpie_treasury_child_balance_dollars{${purse}, child="shop"}`]: '60x180',
  [`magpie_treasury_child_floor_dollars{${purse}, child="shop"}`]: '50x180',
  [`magpie_treasury_child_balance_dollars{${purse}, child="store"}`]: '60x180',
  [`magpie_treasury_child_floor_dollars{${purse}, child="store"}`]: '10x180',
  [`magpie_treasury_children{${purse}, reason="unread"}`]: '0x180',
  [`magpie_treasury_children{${purse}, reason="reserve"}`]: '0x180',
  [`magpie_treasury_moved_dollars{${purse}, window="day"}`]: '100x180',
  [`magpie_treasury_moved_limit_dollars{${purse}, window="day"}`]: '2000x180',
};

/** What is otherwise in each kind of trouble, and which alerts it must and may raise, and no others. */
const troubles: readonly (readonly [alerts: readonly string[], series: Readonly<Record<string, string>>])[] = [
  [['MagpieDown'], { [`up{${place}}`]: '0x180' }],
  [['MagpieNoCompletePoll'], { [`magpie_poll_age_seconds{${place}}`]: '61x180' }],
  [['MagpieNotReady'], { [`magpie_ready{${place}}`]: '0x180' }],
  [['MagpieOrdersUnread'], { [`magpie_reconciliation_age_seconds{${place}}`]: '301x180' }],
  [['MagpieHalted'], { [`magpie_halted{${place}}`]: '1x180', [`magpie_buying_open{${place}, market="c5game"}`]: '0x180' }],
  [['MagpieUnknownPurchases'], { [`magpie_unknown_purchases{${place}}`]: '1x180' }],
  [['MagpieBuyingClosed'], { [`magpie_buying_open{${place}, market="c5game"}`]: '0x180' }],
  [['MagpieBalanceNearReserve'], { [`magpie_free_dollars{${place}}`]: '29.99x180' }],
  [['MagpieKeyRefused'], { [`magpie_key_refused{${place}}`]: '1x180' }],
  [['MagpieChannelFailing'], { [`magpie_channel_failing{${place}, channel="discord"}`]: '1x180' }],
  [['MagpieDiskLow'], { [`magpie_disk_free_bytes{${place}}`]: '390000000x180' }],
  [['MagpieCapNearlyUsed'], { [`magpie_spend_dollars{${place}, window="day"}`]: '91x180' }],
  [['MagpieOpenPurchasesNearLimit'], { [`magpie_open_purchases{${place}}`]: '190x180' }],
  [['MagpieStrategyCapNearlyUsed'], { [`magpie_strategy_purchases{${place}, strategy="s", window="hour"}`]: '5x180' }],
  [['MagpieBackupOld'], { [`magpie_backup_interval_seconds{${place}}`]: '1800x180' }],
  [['MagpieRecordingPaused'], { [`magpie_recording_paused{${place}}`]: '1x180' }],
  [['MagpieReloadRefused'], { [`magpie_last_reload_successful{${place}}`]: '0x180' }],
  [['MagpieRateLimited'], { [`magpie_too_many_requests_total{${place}, endpoint="liveListings"}`]: '0+1x180' }],
  [['MagpieTreasuryDown'], { [`up{${purse}}`]: '0x180' }],
  [['MagpieTreasuryLate'], { [`magpie_treasury_round_late{${purse}}`]: '1x180' }],
  [['MagpieTreasuryHalted'], { [`magpie_treasury_halted{${purse}}`]: '1x180' }],
  [['MagpieTreasuryTransferOpen'], { [`magpie_treasury_oldest_open_seconds{${purse}}`]: '3601x180' }],
  [['MagpieTreasuryChildBelowFloor'], { [`magpie_treasury_child_balance_dollars{${purse}, child="shop"}`]: '49.99x180' }],
  [['MagpieTreasuryChildUnread'], { [`magpie_treasury_children{${purse}, reason="unread"}`]: '2x180' }],
  [['MagpieTreasuryBalanceNearReserve'], { [`magpie_treasury_children{${purse}, reason="reserve"}`]: '1x180' }],
  [['MagpieTreasuryCapNearlyUsed'], { [`magpie_treasury_moved_dollars{${purse}, window="day"}`]: '1801x180' }],
];

/** One life of three hours, and what must be firing at its end. */
function life(alerts: readonly string[], series: Readonly<Record<string, string>>): object {
  return {
    interval: '1m',
    input_series: Object.entries({ ...well, ...series }).map(([name, values]) => ({ series: name, values })),
    promql_expr_test: [
      {
        expr: 'count by (alertname) (ALERTS{alertstate="firing"})',
        eval_time: `${3 * HOUR_MINUTES}m`,
        exp_samples: alerts.map((alertname) => ({ labels: `{alertname="${alertname}"}`, value: 1 })),
      },
    ],
  };
}

describe.runIf(hasPromtool)('the alert rules, as Prometheus itself reads them', () => {
  it('are rules', () => {
    const { status, stdout } = promtool('check', 'rules', rules);
    expect([status, stdout]).toEqual([0, expect.stringContaining('SUCCESS') as string]);
  });

  it('are silent while all is well, and of each trouble one speaks', () => {
    const file = join(freshPlace(), 'lives.yml');
    const tests = [life([], {}), ...troubles.map(([alerts, series]) => life(alerts, series))];
    writeFileSync(file, JSON.stringify({ rule_files: [rules], evaluation_interval: '1m', tests }));
    const { status, stdout, stderr } = promtool('test', 'rules', file);
    expect([status, stdout, stderr]).toEqual([0, expect.stringContaining('SUCCESS') as string, '']);
    const names = [...new Set(troubles.flatMap(([alerts]) => alerts))];
    expect(names).toHaveLength(troubles.length);
  });
});
