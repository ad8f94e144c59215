import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import { z } from 'zod';
import type { JSONDocument } from '../../../lib/document/document.ts';
import type { Database } from '../../../platform/database/tables.ts';
import { defineJob } from '../../../platform/jobs/job.ts';
import { inTransaction } from '../../../platform/transact.ts';
import { DERIVED_VERSION, derive, type PreparedDocument } from './prepare-document.ts';
import { storeParts } from './store-documents.ts';

const BATCH = 20;

/** Derives Markdown, anchors, sections and references anew from bodies that earlier rules were applied to. */
export const deriveAgain = defineJob(
  'derive-again',
  z.object({}),
  async (ctx, _data, { signal }) => {
    for (let count = BATCH; count > 0; ) {
      signal.throwIfAborted();
      count = await inTransaction(ctx, ({ db }) => deriveBatch(db));
    }
  },
  { cron: '*/10 * * * *', expiresIn: 3_600 },
);

/** Derives a batch of bodies, which are locked meanwhile. Returns their number. */
async function deriveBatch(db: Database): Promise<number> {
  const { rows } = await sql<{ organizationId: string; hash: string; body: JSONDocument }>`
    select d.organization_id as "organizationId", encode(d.hash, 'hex') as hash, d.body from document d
    where d.derived_version < ${sql.lit(DERIVED_VERSION)}
    order by d.derived_version limit ${sql.lit(BATCH)} for update skip locked`.execute(db);
  for (const { organizationId, hash, body } of rows) {
    await setImmediate();
    await replaceDerived(db, organizationId, derive(body, hash));
  }
  return rows.length;
}

async function replaceDerived(db: Database, organizationId: string, document: PreparedDocument): Promise<void> {
  const hash = Buffer.from(document.hash, 'hex');
  await db
    .updateTable('document')
    .set({ markdown: document.markdown, anchors: document.anchors, derivedVersion: DERIVED_VERSION })
    .where('organizationId', '=', organizationId)
    .where('hash', '=', hash)
    .execute();
  for (const table of ['document_section', 'document_reference'] as const) {
    await db.deleteFrom(table).where('organizationId', '=', organizationId).where('documentHash', '=', hash).execute();
  }
  await storeParts({ db }, organizationId, [document]);
}
