import { hasPgBouncer } from './pgbouncer.ts';
import { runVitest } from './run-vitest.ts';

/**
 * Runs tests of the public interface with PgBouncer in transaction mode before the database, where it is installed.
 * `TEST_POOLER=transaction npx vitest run` runs all tests there.
 */
const CHOSEN = [
  'test/places/spaces',
  'test/platform/cancellation.test.ts',
  'test/platform/events.test.ts',
  'test/platform/idempotency.test.ts',
  'test/platform/shared-lists.test.ts',
];

if (hasPgBouncer) {
  process.exitCode = runVitest({ files: CHOSEN, env: { ...process.env, TEST_POOLER: 'transaction' } });
} else {
  console.info('Skipped with a pooler: PgBouncer is not installed here (Debian: apt install pgbouncer).');
}
