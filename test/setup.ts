import fc from 'fast-check';
import { afterAll, vi } from 'vitest';
import { closeAll } from './closings.ts';

/**
 * Law tests generate the same cases in every run, so that a run fails by what changed and not by chance. `LAW_SEED=<n>`
 * looks at others.
 */
fc.configureGlobal({ seed: Number(process.env.LAW_SEED ?? 20_261_122) });

/** Files of one worker share the process. What a file has changed of it ends with the file. */
const { env } = process;
const before = { ...env };

afterAll(async () => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
  for (const name of Object.keys(env)) if (!(name in before)) delete env[name];
  Object.assign(env, before);
  await closeAll();
});
