import { admission } from './admission.ts';
import { evidence } from './evidence.ts';
import type { Mutant } from './mutant.ts';
import { reloading } from './reload.ts';
import { sending } from './sending.ts';
import { spending } from './spending.ts';

/** Every planted fault, each name once. */
export const mutants: readonly Mutant[] = [...sending, ...evidence, ...spending, ...admission, ...reloading];
