import { findInstalledPostgres, SUPPORTED } from './installed-postgres.ts';
import { runVitest } from './run-vitest.ts';

/**
 * Runs the tests that say most about SQL on the oldest supported PostgreSQL, for those who run all tests on the embedded
 * one. `TEST_POSTGRES=15 npx vitest run` runs all of them there.
 */
const CHOSEN = [
  'test/people/access',
  'test/people/invites',
  'test/people/members',
  'test/people/scim/users.test.ts',
  'test/people/sessions',
  'test/people/teams',
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
  process.exitCode = runVitest({ files: CHOSEN, env: { ...process.env, TEST_POSTGRES: String(oldest) } });
}
