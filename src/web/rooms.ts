import type { FactsOfEach, PageFacts } from './page-facts.ts';
import { type Room, roomOf, roomOfAll } from './routes.ts';

/** What stands before a path that is asked of one of several accounts. */
const ofAccount = /^\/accounts\/([a-z0-9-]{1,64})(\/.*)$/;

/** Finds whom a path is asked of: all accounts together, or the one that it names. Where there is only one, no path names it. */
export class Rooms {
  readonly #whole: Room;
  readonly #each: FactsOfEach | undefined;
  /** Of those that were asked for: it is the same room each time. */
  readonly #entered = new Map<string, Room>();

  constructor(facts: PageFacts | FactsOfEach) {
    this.#each = 'all' in facts ? facts : undefined;
    this.#whole = 'all' in facts ? roomOfAll(facts.all) : roomOf(facts);
  }

  /** `path` is what is left behind the account; no room where no account is called so. */
  at(path: string): { readonly room: Room | undefined; readonly path: string } {
    const [, account, rest] = this.#each === undefined ? [] : (ofAccount.exec(path) ?? []);
    if (account === undefined || rest === undefined) return { room: this.#whole, path };
    return { room: this.#entered.get(account) ?? this.#enter(account), path: rest };
  }

  #enter(account: string): Room | undefined {
    const facts = this.#each?.of(account);
    if (facts === undefined) return undefined;
    const room = roomOf(facts);
    this.#entered.set(account, room);
    return room;
  }
}
