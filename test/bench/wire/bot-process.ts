import { answerProfiling } from '../profiling.ts';
import { type BotOptions, runBot } from './bot.ts';
import { hotStretches, tellCpu } from './cpu-meter.ts';

answerProfiling(hotStretches);

tellCpu();
// A bench that is broken off leaves nobody behind.
process.once('disconnect', () => process.exit());
await runBot(JSON.parse(process.argv[2] ?? '') as BotOptions);
