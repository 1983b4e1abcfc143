/** What a look at one thing came to. */
export interface Finding {
  /** What was looked at, in a word or two. */
  readonly check: string;
  /** warn: it works, and could be better or may end badly. fail: Magpie cannot work so, or buys nothing. */
  readonly status: 'ok' | 'warn' | 'fail';
  readonly message: string;
  /** What a person does about it; undefined where nothing is to be done. */
  readonly next: string | undefined;
}

export function good(check: string, message: string): Finding {
  return { check, status: 'ok', message, next: undefined };
}

export function doubt(check: string, message: string, next: string): Finding {
  return { check, status: 'warn', message, next };
}

export function bad(check: string, message: string, next: string): Finding {
  return { check, status: 'fail', message, next };
}
