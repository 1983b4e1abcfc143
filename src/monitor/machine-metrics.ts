import { type Definition, counter, gauge } from './definition.ts';

/** What metrics tell of the files, the process and the machine; those that others have too under the names that others give them. */
export const machineMetrics = {
  magpie_ledger_bytes: gauge('Size of the ledger, `magpie.db`.'),
  magpie_ledger_wal_bytes: gauge('Size of its write-ahead log.'),
  magpie_recording_bytes: gauge('Size of the recording with its write-ahead log; 0 where nothing is recorded.'),
  magpie_recording_paused: gauge('1 while nothing can be recorded.'),
  magpie_disk_free_bytes: gauge('Free on the disk of the data folder, for who runs Magpie.'),
  magpie_disk_min_free_bytes: gauge('`disk.minFree`: less raises an alert, and no backup is made.'),
  magpie_last_backup_timestamp_seconds: gauge(
    'When the newest scheduled backup was made, Unix time; 0 where there is none. Missing where none is wanted.',
  ),
  magpie_backup_interval_seconds: gauge('`backup.every`. Missing where no backups are wanted.'),
  magpie_last_reload_timestamp_seconds: gauge(
    'When the rules in force came into force, with the start or while it ran, Unix time.',
  ),
  magpie_last_reload_successful: gauge(
    '0 while the files of limits and strategies have a fault, so that what was changed does not count.',
  ),
  magpie_build_info: gauge('Always 1: what runs.', {
    version: { of: 'the version of Magpie', atMost: 1 },
    node: { of: 'the version of Node.js', atMost: 1 },
    mode: ['live', 'dry-run'],
  }),

  process_start_time_seconds: gauge('When the process was started, Unix time.'),
  process_cpu_seconds_total: counter('Time of the processor that the process took, user and system.'),
  process_resident_memory_bytes: gauge('Resident memory.'),
  process_open_fds: gauge('Open file descriptors; where the system tells.'),
  process_max_fds: gauge('Most file descriptors that it may open; where the system tells.'),
  nodejs_heap_size_total_bytes: gauge('Heap of the JavaScript engine.'),
  nodejs_heap_size_used_bytes: gauge('The part of it that is used.'),
  nodejs_external_memory_bytes: gauge('Memory outside the heap that belongs to objects in it.'),
  nodejs_eventloop_lag_p50_seconds: gauge('How late timers fired since the reading before: the median.'),
  nodejs_eventloop_lag_p99_seconds: gauge('The same: 99 of 100 were no later.'),
  nodejs_eventloop_lag_max_seconds: gauge('The same: the latest.'),
} as const satisfies Record<string, Definition>;
