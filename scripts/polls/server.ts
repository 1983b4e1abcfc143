/** `server REPLACED`: the exchange of the polls over HTTP. Says its address to whoever forked it, and ends with them. */
import { SystemClock } from '../../src/app/system-clock.ts';
import { chance, seededRandom } from '../../src/domain/random.ts';
import type { SandboxRequest } from '../../src/sandbox/answer.ts';
import type { SandboxAnswer } from '../../src/sandbox/sandbox-answer.ts';
import { sandboxServer } from '../../src/sandbox/server.ts';
import { PollExchange } from './exchange.ts';

/** So seldom, since each costs a time-out, or a wait of a second or two. */
const LATE = 0.0005;
const LATE_MS = 3_000;
const CROWDED = 0.0002;

const clock = new SystemClock();
const random = seededRandom(2, 'trouble');
const exchange = new PollExchange(seededRandom(1, 'exchange'), () => clock.now(), Number(process.argv[2]));

function handle(request: SandboxRequest): SandboxAnswer {
  const answer = exchange.answer(request);
  if (chance(random, LATE)) return { ...answer, delayMs: LATE_MS };
  if (!chance(random, CROWDED)) return answer;
  return { ...answer, status: 429, headers: { ...answer.headers, 'retry-after': '1' }, bodyText: '{"success":false}' };
}

const server = sandboxServer({ handle }, clock);
const url = await server.listen({ host: '127.0.0.1', port: 0 });
process.on('disconnect', () => void server.close());
process.send?.(url);
