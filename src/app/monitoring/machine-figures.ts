import { readFile, readdir, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import { ledgerPath } from '../../ledger/folder.ts';
import { scheduledBackups } from '../../ledger/scheduled-backups.ts';
import type { PlainGauge } from '../../monitor/metrics.ts';
import type { Meter } from '../../monitor/meter.ts';
import type { Settings } from '../../settings/settings.ts';

/** How exactly the lateness of timers is measured, milliseconds: its cost is one timer of this pace. */
const LAG_RESOLUTION_MS = 20;

/** Tells of files, process and machine. Whatever the system does not tell has no series. */
export class MachineFigures {
  readonly #meter: Meter;
  readonly #settings: Pick<Settings, 'data' | 'backup' | 'disk' | 'recording' | 'recordingFolder'>;
  readonly #lag: IntervalHistogram = monitorEventLoopDelay({ resolution: LAG_RESOLUTION_MS });
  readonly #startedAt = Math.round(Date.now() / 1_000 - process.uptime());
  #cpuSeconds = 0;

  constructor(meter: Meter, settings: Pick<Settings, 'data' | 'backup' | 'disk' | 'recording' | 'recordingFolder'>) {
    this.#meter = meter;
    this.#settings = settings;
  }

  start(): void {
    this.#lag.enable();
  }

  stop(): void {
    this.#lag.disable();
  }

  async tell(): Promise<void> {
    this.#process();
    this.#lateness();
    await Promise.all([this.#files(), this.#disk(), this.#descriptors()]);
    this.#backups();
  }

  #process(): void {
    const { rss, heapTotal, heapUsed, external } = process.memoryUsage();
    this.#meter.set('process_resident_memory_bytes', {}, rss);
    this.#meter.set('nodejs_heap_size_total_bytes', {}, heapTotal);
    this.#meter.set('nodejs_heap_size_used_bytes', {}, heapUsed);
    this.#meter.set('nodejs_external_memory_bytes', {}, external);
    const { user, system } = process.cpuUsage();
    const cpuSeconds = (user + system) / 1_000_000;
    this.#meter.add('process_cpu_seconds_total', {}, cpuSeconds - this.#cpuSeconds);
    this.#cpuSeconds = cpuSeconds;
    this.#meter.set('process_start_time_seconds', {}, this.#startedAt);
  }

  #lateness(): void {
    // What is measured is from one timer to the next.
    const late = (nanoseconds: number): number => Math.max(0, nanoseconds / 1e9 - LAG_RESOLUTION_MS / 1_000) || 0;
    this.#meter.set('nodejs_eventloop_lag_p50_seconds', {}, late(this.#lag.percentile(50)));
    this.#meter.set('nodejs_eventloop_lag_p99_seconds', {}, late(this.#lag.percentile(99)));
    this.#meter.set('nodejs_eventloop_lag_max_seconds', {}, late(this.#lag.max));
    this.#lag.reset();
  }

  async #files(): Promise<void> {
    const { data, recording, recordingFolder } = this.#settings;
    const ledger = ledgerPath(data);
    const tape = join(recordingFolder, 'recording.db');
    const [db, wal, tapeDb, tapeWal] = await Promise.all([ledger, `${ledger}-wal`, tape, `${tape}-wal`].map(bytesOf));
    this.#tell('magpie_ledger_bytes', db);
    this.#tell('magpie_ledger_wal_bytes', wal ?? 0);
    this.#tell('magpie_recording_bytes', recording === undefined ? 0 : (tapeDb ?? 0) + (tapeWal ?? 0));
  }

  async #disk(): Promise<void> {
    const { data, disk } = this.#settings;
    const free = await statfs(data).catch(() => undefined);
    this.#tell('magpie_disk_free_bytes', free && free.bavail * free.bsize);
    this.#tell('magpie_disk_min_free_bytes', disk.minFreeBytes);
  }

  async #descriptors(): Promise<void> {
    const open = await readdir('/proc/self/fd').catch(() => undefined);
    const limits = await readFile('/proc/self/limits', 'utf8').catch(() => '');
    const most = /^Max open files\s{1,100}(\d{1,20})\s/m.exec(limits)?.[1];
    this.#tell('process_open_fds', open?.length);
    this.#tell('process_max_fds', most === undefined ? undefined : Number(most));
  }

  #backups(): void {
    const { data, backup } = this.#settings;
    if (backup === undefined) return;
    this.#tell('magpie_backup_interval_seconds', backup.everyMs / 1_000);
    try {
      const now = Date.now();
      const newest = scheduledBackups(data).find(({ at }) => at <= now);
      this.#tell('magpie_last_backup_timestamp_seconds', (newest?.at ?? 0) / 1_000);
    } catch {
      // A folder that cannot be read says nothing; what was told before stays.
    }
  }

  #tell(name: PlainGauge, value: number | undefined): void {
    if (value !== undefined) this.#meter.set(name, {}, value);
  }
}

async function bytesOf(path: string): Promise<number | undefined> {
  const found = await stat(path).catch(() => undefined);
  return found?.size;
}
