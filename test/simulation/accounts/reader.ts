import { seededRandom } from '../../../src/domain/random.ts';
import type { Service } from '../../../src/engine/ports.ts';
import type { Sandbox } from '../../../src/sandbox/sandbox.ts';
import { settingsOf } from '../bot-plan.ts';
import { Door, type Heard } from '../door.ts';
import type { Network } from '../network.ts';
import type { Plan } from '../plan.ts';
import { SimGateway } from '../sim-gateway.ts';
import type { SimLog } from '../sim-log.ts';
import type { ProcessClock, SimTime } from '../sim-time.ts';

/** What the one reader hears, all accounts have heard. */
class SharedDoor extends Door {
  readonly #doors: () => readonly Door[];

  constructor(doors: () => readonly Door[]) {
    super();
    this.#doors = doors;
  }

  override heardHealth(heard: Heard): void {
    for (const door of this.#doors()) door.heardHealth(heard);
  }

  override heardPart(heard: Omit<Heard, 'part'>): void {
    for (const door of this.#doors()) door.heardPart(heard);
  }

  override endOfPart(cameToNothing: boolean): void {
    for (const door of this.#doors()) door.endOfPart(cameToNothing);
  }

  override heardFeed(heard: Heard): void {
    for (const door of this.#doors()) door.heardFeed(heard);
  }
}

interface ReaderParts {
  readonly seed: number;
  /** Of any of them: what all share. */
  readonly bot: Plan['bot'];
  readonly network: Network;
  readonly doors: () => readonly Door[];
  readonly sandbox: Sandbox;
  readonly time: SimTime;
  readonly clock: ProcessClock;
  readonly log: SimLog;
  /** Which start of the process this is. */
  readonly boot: number;
  readonly alive: () => boolean;
  readonly uncaught: (error: unknown) => void;
}

/** The way of the one reader to the exchange, with the top-level key. */
export function readerOf(parts: ReaderParts): Service {
  const { seed, bot, network, doors, sandbox, time, clock, log, boot, alive, uncaught } = parts;
  const { topLevelKey, tradeUrl } = sandbox;
  const { rate, feed } = settingsOf(bot, '');
  const never = (): void => uncaught(new Error('the reader has bought'));
  return new SimGateway({
    ...{ network, door: new SharedDoor(doors), clock, tradeUrl, boot, alive },
    random: seededRandom(seed, boot === 1 ? 'accounts/reader' : `accounts/reader/${boot}`),
    keys: { account: topLevelKey, partner: topLevelKey },
    parse: feed.parse,
    rates: rate,
    slowUntil: undefined,
    onSlowed: ({ until }) => log.note(boot, 'slowed-down', { until }),
    trueNow: () => time.now,
    ...{ onPost: never, onLeave: never, keptBack: () => undefined },
  }).service;
}
