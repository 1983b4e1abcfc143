import type { EpochMs } from '../../src/domain/clock.ts';
import type { BooksView } from '../../src/sandbox/audit.ts';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import type { RulesPlan } from './bot-plan.ts';
import type { Door } from './door.ts';
import type { Mortality } from './mortality.ts';
import type { Plan } from './plan.ts';
import type { RuleLog } from './rule-log.ts';
import type { SimLog } from './sim-log.ts';
import type { SimTime } from './sim-time.ts';
import type { Storage } from './storage.ts';

/** What was written between the two times is forgotten. */
export interface Restored {
  readonly copiedAt: EpochMs;
  readonly at: EpochMs;
  /** The newest purchase of the copy. */
  readonly lastId: number;
}

/** What one account has lived, as its auditor and the person beside it see it, whether it is alone in its process or one of several. */
export interface Lived {
  readonly plan: Plan;
  readonly time: SimTime;
  readonly sandbox: Pick<Sandbox, 'handle' | 'topLevelKey' | 'childKeys' | 'tradeUrl'>;
  readonly door: Door;
  readonly storage: Storage;
  readonly log: SimLog;
  readonly mortality: Mortality;
  readonly rules: RuleLog;
  /** Copies of the ledger that were put in its place. */
  readonly restored: readonly Restored[];
  readonly now: EpochMs;
  /** The wall clock of the machine, as commands read it. */
  readonly wall: EpochMs;
  /** The exchange's books, as far as they are the account's. */
  books(): BooksView;
  saveRules(rules: RulesPlan): void;
}
