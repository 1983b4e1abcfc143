import type { FaultCause } from '../domain/fault.ts';

interface CauseRule {
  readonly cause: FaultCause;
  /** Holds for these statuses whatever the words. */
  readonly always?: readonly number[];
  /** Holds when the service's words match, for any status or for those of `only`. */
  readonly words?: RegExp;
  readonly only?: readonly number[];
  /** Holds for these statuses when no words of any rule matched. */
  readonly otherwise?: readonly number[];
}

// The document shows no failure. The words are those of comparable services and of the two upstream markets, of which both speak
// Chinese. The first rule that holds wins, so what a person must act on stands before what it might be mistaken for.
const rules: readonly CauseRule[] = [
  {
    cause: 'rate',
    always: [429],
    words: /\brate limit|\btoo many (?:requests|attempts|calls)|\bthrottl|\bslow down\b|频繁|限流/,
  },
  { cause: 'key', always: [401] },
  {
    cause: 'owner',
    words:
      /\btrade ?(?:offer )?(?:url|link|token)\b|\btrade ?bann?(?:ed)?\b|\bsteam guard\b|\binventory (?:is )?(?:full|private)\b|\bprivate inventory\b|\baccount (?:is |has been |was )?(?:restricted|suspended|frozen|locked|disabled|limited)\b|交易链接|冻结/,
  },
  {
    cause: 'ban',
    only: [403],
    words:
      /\bbann?(?:ed)?\b|\bblack ?list|\bblocked\b|\baccess denied\b|\bcaptcha\b|\bcloudflare\b|\bunusual traffic\b|封禁|黑名单/,
  },
  { cause: 'owner', words: /\baccount (?:is |has been |was )?banned\b|封禁/ },
  {
    cause: 'funds',
    words:
      /\binsufficient [a-z ]{0,20}?(?:funds?|balance|credits?|money)\b|\bnot enough [a-z ]{0,20}?(?:funds?|balance|credits?|money)\b|\b(?:balance|funds) [a-z ]{0,20}?(?:too low|insufficient|not enough|not sufficient)\b|余额不足/,
    otherwise: [402],
  },
  {
    cause: 'repriced',
    words:
      /\bprice [a-z' ]{0,30}?(?:chang|mismatch|differ|updat|increas|outdated|not match|no longer|moved|stale|higher|lower)|\b(?:changed|mismatch(?:ed)?|wrong|incorrect|outdated|different|stale) [a-z ]{0,15}?price\b|\bnot [a-z ]{0,20}?current [a-z ]{0,10}?price\b|\bre ?pric|价格.{0,6}(?:变|不一致|不符)/,
  },
  {
    cause: 'service',
    words:
      /\bmaintenance\b|\bservice [a-z ]{0,15}?unavailable\b|\btemporar(?:y|ily)\b|\binternal (?:server )?error\b|\bupstream\b|\bbad gateway\b|\bsystem (?:is )?(?:busy|error)\b|系统繁忙|系统错误|维护/,
    otherwise: [408, 425],
  },
  { cause: 'request', words: /\b(?:route|endpoint|path) [a-z ]{0,10}?not found\b|\bcannot (?:get|post)\b/ },
  {
    cause: 'gone',
    words:
      /\bnot ?found\b|\bsold\b|\bno longer\b|\bunavailable\b|\bnot available\b|\bde ?listed\b|\bremoved\b|\bgone\b|\bout of stock\b|\b(?:does not|doesn't) exist\b|\balready (?:been )?(?:purchased|bought|taken|reserved)\b|\bexpired\b|已售|下架|不存在|售罄/,
  },
  {
    cause: 'key',
    words:
      /\bapi ?key\b|\bkey (?:is )?(?:required|missing|invalid)\b|\bunauthori[sz]ed\b|\bunauthenticated\b|\bauthentication\b|\bpermissions?\b|\bforbidden\b/,
  },
  {
    cause: 'request',
    only: [200, 400, 409, 422],
    words: /\bvalidat|\binvalid\b|\bmust (?:be|have|match|not)\b|\brequired\b|\bbad request\b|\bmalformed\b|参数/,
  },
  { cause: 'key', otherwise: [403] },
  { cause: 'gone', otherwise: [404, 410] },
  { cause: 'request', otherwise: [400, 405, 411, 413, 414, 415, 422, 431] },
];

/** What a whole, readable failure was about: by its status and the service's folded words (see `saidIn`). */
export function causeOf(status: number, words: string): FaultCause {
  const heard = statusSaid(status, words);
  for (const rule of rules) if (rule.always?.includes(heard)) return rule.cause;
  for (const rule of rules) {
    if (rule.words?.test(words) && (!rule.only || rule.only.includes(heard))) return rule.cause;
  }
  for (const rule of rules) if (rule.otherwise?.includes(heard)) return rule.cause;
  return heard >= 500 ? 'service' : 'other';
}

/** An answer of 200 may carry the status it means as its code: `{ success: false, code: 429 }`. */
function statusSaid(status: number, words: string): number {
  const code = /^[45]\d\d(?= |$)/.exec(words)?.[0];
  return status < 300 && code !== undefined ? Number(code) : status;
}

/** What an answer of which only the status is known was about: its body is missing, no JSON, cut off or contradicts it. */
export function causeOfStatus(status: number): FaultCause {
  if (status >= 300 && status < 400) return 'redirect';
  // A refusal of this request would say so in JSON: this is somebody in between, or the door shut on us altogether.
  if (status === 403) return 'ban';
  if (status === 408 || status === 504) return 'timeout';
  if (status < 300) return 'unreadable';
  return causeOf(status, '');
}

const orderMayExist: readonly RegExp[] = [
  /\bprocessing\b|\bin progress\b|\bqueued\b|\bbeing (?:processed|created|handled|placed)\b/,
  /\bduplicat|\bidempoten/,
  /\balready (?:been )?(?:created|exists?|existing|placed|processed|submitted|ordered|pending|accepted|completed)\b/,
  /\b(?:order|purchase|transaction|payment|trade|transfer|withdrawal) (?:already |is |has |been |was |still |may |might |have )*(?:exists?|created|pending|placed|accepted|submitted|processed)\b/,
  /\b(?:pending|existing) (?:order|purchase|payment|transaction|trade|transfer|withdrawal)\b/,
  /\byou (?:have )?already (?:bought|purchased|own)\b/,
  /\b(?:check|verify|see) (?:whether|if) [a-z ]{0,30}?(?:order|purchase|transaction|payment|created|exists?|went through|succe)/,
  /\btime ?out\b|\btimed out\b/,
  /\bunknown (?:result|status|outcome|state)\b|\b(?:result|status|outcome|state) (?:is )?(?:unknown|uncertain)\b|\bunconfirmed\b/,
  /处理中|进行中|重复|已存在|已创建|已下单|超时/,
];

/**
 * Whether the words of a refusal say that an order may exist all the same: a repeat that was refused, something still going on, an
 * upstream that did not answer. "Already purchased" alone is what a rival leaves behind, so it is no such word.
 */
export function mayHaveOrder(words: string): boolean {
  return orderMayExist.some((pattern) => pattern.test(words));
}
