import { afterAll, vi } from 'vitest';

/** Files of one worker share the process. What a file has changed of it ends with the file. */
const { env } = process;
const before = { ...env };

afterAll(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
  for (const name of Object.keys(env)) if (!(name in before)) delete env[name];
  Object.assign(env, before);
});
