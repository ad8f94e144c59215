import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { findInstalledPostgres, SUPPORTED } from './installed-postgres.ts';

/**
 * Runs the tests that say most about SQL on the oldest supported PostgreSQL, for those who run all tests on the embedded
 * one. `TEST_POSTGRES=15 npx vitest run` runs all of them there.
 */
const CHOSEN = [
  'test/people',
  'test/places',
  'test/content/change-requests',
  'test/content/garbage-collection',
  'test/content/links',
  'test/content/revisions',
  'test/content/search',
  'test/platform/events.test.ts',
  'test/platform/idempotency.test.ts',
  'test/platform/prepared.test.ts',
  'test/platform/stock-postgres.test.ts',
  'test/structure/migrations.test.ts',
  'test/structure/queries.test.ts',
  'test/structure/statements.test.ts',
];

const [oldest = 0] = SUPPORTED;

if (findInstalledPostgres(oldest) === undefined) {
  console.info(
    `Skipped on PostgreSQL ${oldest}, which is not installed here (Debian: apt install postgresql-${oldest}).`,
  );
} else {
  const vitest = join(import.meta.dirname, '..', 'node_modules', 'vitest', 'vitest.mjs');
  const env = { ...process.env, TEST_POSTGRES: String(oldest) };
  const { status } = spawnSync(process.execPath, [vitest, 'run', ...CHOSEN], { env, stdio: 'inherit' });
  process.exitCode = status ?? 1;
}
