import { hasPgBouncer } from './pgbouncer.ts';
import { runVitest } from './run-vitest.ts';

/**
 * Runs tests of the public interface with PgBouncer in transaction mode before the database, where it is installed.
 * They read and write by both transports, hold locks, follow events and repeat requests; together they take about two
 * minutes on two idle cores. `TEST_POOLER=transaction npx vitest run` runs all tests there.
 */
const CHOSEN = [
  'test/graphql/',
  'test/http/answers.test.ts',
  'test/http/errors.test.ts',
  'test/insight/events/',
  'test/people/invites/',
  'test/people/members/',
  'test/people/organizations/',
  'test/people/teams/',
  'test/places/',
  'test/platform/database.test.ts',
  'test/platform/entities.test.ts',
  'test/platform/events.test.ts',
  'test/platform/idempotency.test.ts',
  'test/platform/prepared.test.ts',
  'test/platform/shared-lists.test.ts',
  'test/publishing/hostnames.test.ts',
  'test/publishing/redirects.test.ts',
  'test/publishing/share-links.test.ts',
  'test/publishing/sites.test.ts',
  'test/review/reviews/',
];

if (hasPgBouncer) {
  process.exitCode = runVitest({
    files: CHOSEN,
    // Starts several processes at once, which takes long.
    exclude: ['test/people/organizations/bootstrap.test.ts'],
    env: { ...process.env, TEST_POOLER: 'transaction' },
  });
} else {
  console.info('Skipped with a pooler: PgBouncer is not installed here (Debian: apt install pgbouncer).');
}
