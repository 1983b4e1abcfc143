import { type FloorOptions, runFloor } from './buyer.ts';
import { tellCpu } from '../wire/cpu-meter.ts';

tellCpu();
// A bench that is broken off leaves nobody behind.
process.once('disconnect', () => process.exit());
await runFloor(JSON.parse(process.argv[2] ?? '') as FloorOptions);
