import { type Config, readConfig } from '../src/config.ts';

/**
 * The configuration of a service in the process of a test, with the environment variables given. It waits longer for
 * the database than the defaults do: a busy machine is no fault of the service.
 */
export const configOf = (environment: Record<string, string>): Config =>
  readConfig({
    PORT: '0',
    LOG_LEVEL: 'error',
    DATABASE_POOL_TIMEOUT_MS: '20000',
    ...environment,
  });
