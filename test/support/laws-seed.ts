import * as fc from 'fast-check';

/** Every law draws from the one seed of the run, which vitest tells at its start: what failed fails again with it. */
fc.configureGlobal({ seed: Number(process.env['LAWS_SEED']) });
