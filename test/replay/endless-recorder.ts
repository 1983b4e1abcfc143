import { Tape } from '../../src/replay/tape.ts';
import { Polls, START, entries } from '../support/feed-entries.ts';

// Records one poll after the other until it is killed, and says the number of each once it is written.
const [path = ''] = process.argv.slice(2);
const tape = new Tape({
  ...{ path, version: 'test', mode: 'dry-run', startedAt: START, maxBytes: 2 ** 30, maxAgeMs: 2 ** 40 },
  scrub: (text) => text,
  onTrouble: (trouble) => process.stderr.write(`${JSON.stringify(trouble)}\n`),
});
const polls = new Polls();
for (let poll = 1; ; poll++) {
  tape.poll(polls.next(entries(50, poll * 10)));
  process.stdout.write(`${poll}\n`);
}
