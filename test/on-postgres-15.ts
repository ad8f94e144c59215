import { findInstalledPostgres, SUPPORTED } from './installed-postgres.ts';
import { LONG_FILES, THOROUGH_FILES } from './long-files.ts';
import { runVitest } from './run-vitest.ts';

/**
 * Runs the tests that say most about SQL on the oldest supported PostgreSQL, for those who run all tests on the
 * embedded one: the migrations, the statements of every field, and the modules whose SQL is written by hand.
 * `TEST_POSTGRES=15 npx vitest run` runs all tests there.
 */
const CHOSEN = [
  'test/content/garbage-collection/',
  'test/content/links/',
  'test/content/search/',
  'test/people/access/',
  'test/platform/events.test.ts',
  'test/platform/idempotency.test.ts',
  'test/platform/prepared.test.ts',
  'test/platform/stock-postgres.test.ts',
  'test/structure/migrations.test.ts',
  'test/structure/queries.test.ts',
  'test/structure/statements.test.ts',
];

/** Long tests run here only if they are named. */
const LEFT_OUT = [...LONG_FILES, ...THOROUGH_FILES]
  .map((name) => `test/${name}`)
  .filter((path) => !CHOSEN.includes(path));

const [oldest = 0] = SUPPORTED;

if (findInstalledPostgres(oldest) === undefined) {
  console.info(
    `Skipped on PostgreSQL ${oldest}, which is not installed here (Debian: apt install postgresql-${oldest}).`,
  );
} else {
  process.exitCode = runVitest({
    files: CHOSEN,
    exclude: LEFT_OUT,
    env: { ...process.env, TEST_POSTGRES: String(oldest) },
  });
}
