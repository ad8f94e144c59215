import pino from 'pino';
import { createApp } from '../../../src/app.ts';
import { readConfig } from '../../../src/config.ts';
import { removeUnusedBytes } from '../../../src/domain/content/garbage-collection/remove-unused-bytes.ts';
import { jobContext } from '../../../src/platform/jobs/job.ts';

/** A process that removes unused bytes again and again, until its input ends. Prints a line after each run. */

const config = readConfig(process.env);
const app = await createApp({
  config,
  databaseUrl: config.databaseUrl ?? '',
  secretKey: 'a key of tests that is long enough',
  log: pino({ level: 'silent' }),
  isMigrated: true,
});
let hasEnded = false;
process.stdin.resume().on('end', () => {
  hasEnded = true;
});
const { signal } = new AbortController();
for (let run = 1; !hasEnded; run += 1) {
  await removeUnusedBytes.run(jobContext(app.services, `job-${process.pid}`), {}, { signal, retries: 0 });
  process.stdout.write(`${run}\n`);
}
await app.close();
