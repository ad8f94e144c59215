import pino from 'pino';
import { z } from 'zod';
import { connect } from '../../src/database.ts';
import type { Services } from '../../src/platform/context/services.ts';
import { DiskWatch } from '../../src/platform/disk/disk-watch.ts';
import { defineJob, type Job } from '../../src/platform/jobs/job.ts';
import { openJobQueue } from '../../src/platform/jobs/job-queue.ts';

/** A process that begins a job and never ends it. It is killed meanwhile. */
const stuck = defineJob('test-stuck', z.object({}), () => {
  process.send?.('begun');
  return new Promise<void>(() => {});
});

const log = pino({ level: 'error' });
const databaseUrl = process.argv[2] ?? '';
const { orm, db } = await connect(databaseUrl);
const queue = await openJobQueue({
  databaseUrl,
  jobs: [stuck] as unknown as Job[],
  works: true,
  log,
});
const disk = new DiskWatch({ directories: {}, minFreeBytes: 0, log });
await queue.work({ em: orm.em, db, log, disk, jobs: queue } as unknown as Services); // all that the job uses
process.on('message', () => void queue.boss.send('test-stuck', {}));
process.send?.('ready');
