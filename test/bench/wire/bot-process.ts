import { answerProfiling } from '../profiling.ts';
import { type BotOptions, runBot } from './bot.ts';

answerProfiling();
await runBot(JSON.parse(process.argv[2] ?? '') as BotOptions);
