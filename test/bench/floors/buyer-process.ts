import { type FloorOptions, runFloor } from './buyer.ts';

await runFloor(JSON.parse(process.argv[2] ?? '') as FloorOptions);
