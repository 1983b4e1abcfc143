import { parseArgs } from 'node:util';
import { faultOf } from './story.ts';

const usage = `npm run fuzz:evidence -- [--from 20000] [--seeds 100]
Lives through worlds of purchases that look alike, and audits each end. Seeds from 20000 on are crowded worlds, those
from 1000000 on hasty ones as well. What went wrong in a world is told from its beginning. Example: npm run fuzz:evidence -- --from 20007 --seeds 1`;

const { values } = parseArgs({
  options: {
    from: { type: 'string', default: '20000' },
    seeds: { type: 'string', default: '100' },
    help: { type: 'boolean', default: false },
  },
});

const say = (text: string): void => void process.stdout.write(`${text}\n`);

if (values.help) say(usage);
else hunt(Number(values.from), Number(values.seeds));

function hunt(from: number, seeds: number): void {
  if (!Number.isSafeInteger(from) || !Number.isSafeInteger(seeds) || from < 0 || seeds < 1) {
    process.stderr.write(
      `--from and --seeds are whole numbers, --seeds at least 1; found --from ${values.from} --seeds ${values.seeds}\n`,
    );
    process.exitCode = 2;
    return;
  }
  const failed: number[] = [];
  for (let seed = from; seed < from + seeds; seed++) {
    const fault = faultOf(seed);
    if (fault === undefined) continue;
    failed.push(seed);
    say(fault);
  }
  say(`${seeds} worlds from seed ${from}: ${failed.length === 0 ? 'nothing is broken' : `broken in ${failed.join(', ')}`}`);
  if (failed.length > 0) process.exitCode = 1;
}
