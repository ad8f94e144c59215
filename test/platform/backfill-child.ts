import { sql } from 'kysely';
import pino from 'pino';
import { connect } from '../../src/database.ts';
import type { Services } from '../../src/platform/context/services.ts';
import { defineBackfill } from '../../src/platform/jobs/backfill.ts';
import { jobContext } from '../../src/platform/jobs/job.ts';

/** Doubles the numbers of a table, one at a time. With a parent process, hangs after the third, and tells it. */
export const doubling = defineBackfill<number>('test-doubling', {
  rows: sql`select from planted where doubled is null`,
  async runBatch({ db }, after = 0) {
    const { rows } = await sql<{ number: number }>`
      update planted set doubled = number * 2, changes = changes + 1
      where number = (select number from planted where number > ${after} and doubled is null order by number limit 1)
      returning number`.execute(db);
    const [row] = rows;
    if (row?.number === 3 && process.send) {
      process.send('hanging');
      await new Promise(() => {});
    }
    return row?.number;
  },
});

if (import.meta.main) {
  const { orm, db } = await connect(process.argv[2] ?? '');
  const services = { em: orm.em, db, log: pino({ level: 'error' }) } as unknown as Services; // all that the job uses
  await doubling.run(jobContext(services, 'child'), {}, { signal: new AbortController().signal, retries: 0 });
}
