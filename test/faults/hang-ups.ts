import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/*
 * Clients send every query, read every route and follow every subscription of a service, and hang up at random moments,
 * while connections of its database are cut. Afterwards: no rejection that nothing handled, and the process alive.
 *
 *   node test/faults/hang-ups.ts [hang-ups]
 */

const ROOT = join(import.meta.dirname, '..', '..');
const vitest = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs');
const { status } = spawnSync(process.execPath, [vitest, 'run', 'test/structure/hang-ups.test.ts'], {
  cwd: ROOT,
  env: { ...process.env, HANG_UPS: process.argv[2] ?? '20000' },
  stdio: 'inherit',
});
process.exitCode = status ?? 1;
