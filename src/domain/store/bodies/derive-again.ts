import { sql } from 'kysely';
import type { JSONDocument } from '../../../lib/document/document.ts';
import { makeYielder } from '../../../lib/tick.ts';
import type { Context } from '../../../platform/context/context.ts';
import { jsonColumn } from '../../../platform/database/json-column.ts';
import type { Database } from '../../../platform/database/tables.ts';
import { ApiError } from '../../../platform/errors/errors.ts';
import { defineBackfill } from '../../../platform/jobs/backfill.ts';
import { inTransaction } from '../../../platform/operation/transact.ts';
import { countLinksAround } from '../link-counts/index.ts';
import { bodyRows, DERIVED_VERSION, type PreparedDocument } from '../prepared-bodies/index.ts';
import { storeParts } from './store-documents.ts';
import { writeBody } from './write-body.ts';

const BODIES_PER_STATEMENT = 20;

interface Outdated {
  organizationId: string;
  hash: string;
  body: JSONDocument;
}

/** Derives Markdown, anchors, sections, references and uses again for bodies that earlier rules were applied to. */
export const deriveAgain = defineBackfill<Outdated>('derive-again', {
  rows: sql`select from document where derived_version < ${sql.lit(DERIVED_VERSION)}`,
  async runBatch(ctx, after, signal) {
    const pause = makeYielder();
    const batch = await outdatedAfter(ctx.db, after);
    for (const document of batch) {
      signal.throwIfAborted();
      await pause();
      await replaceDerived(ctx, document);
    }
    return batch.at(-1);
  },
});

/** The next documents after another one, in the order of their keys. */
async function outdatedAfter(db: Database, last?: Outdated): Promise<Outdated[]> {
  const { rows } = await sql<Outdated>`
    select d.organization_id as "organizationId", encode(d.hash, 'hex') as hash, d.body from document d
    where d.derived_version < ${sql.lit(DERIVED_VERSION)}
      and (d.organization_id, d.hash) > (${last?.organizationId ?? ''}, decode(${last?.hash ?? ''}, 'hex'))
    order by d.organization_id, d.hash limit ${sql.lit(BODIES_PER_STATEMENT)}`.execute(db);
  return rows;
}

/**
 * Replaces the derived values of a body. A body that takes too long stays as it is, and counts as outdated; it is
 * printed again when it is read.
 */
async function replaceDerived(ctx: Context, { organizationId, body }: Outdated): Promise<void> {
  try {
    const input = { body, isMarkdown: false, isEmpty: false };
    const document = await writeBody(ctx, organizationId, undefined, input);
    await inTransaction(ctx, (inside) =>
      withCounters(inside, organizationId, document, () => store(inside.db, organizationId, document)),
    );
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
  }
}

/** Other anchors and references change the counters of links of the spaces that show the body. */
async function withCounters(
  ctx: Context,
  organizationId: string,
  { hash }: PreparedDocument,
  change: () => Promise<void>,
): Promise<void> {
  const hashed = Buffer.from(hash, 'hex');
  const showing = (table: 'head_page' | 'head_reusable_content') =>
    ctx.db.selectFrom(table).where('organizationId', '=', organizationId).where('documentHash', '=', hashed);
  const spaces = await ctx.db
    .selectFrom('space')
    .where((space) =>
      space.or([
        space('id', 'in', showing('head_page').select('spaceId')),
        space('id', 'in', showing('head_reusable_content').select('spaceId')),
      ]),
    )
    .select('id')
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
  // The heads as they are now that the spaces are locked.
  const pages = await showing('head_page').select(['spaceId', 'pageId']).execute();
  const contents = await showing('head_reusable_content').select(['spaceId', 'reusableContentId']).execute();
  let changeAll = change;
  for (const { id: spaceId } of spaces) {
    const ownPages = pages.flatMap((row) => (row.spaceId === spaceId ? row.pageId : []));
    const ownContents = contents.flatMap((row) => (row.spaceId === spaceId ? row.reusableContentId : []));
    const changes = { holders: { pages: ownPages, contents: ownContents }, targets: [], anchored: ownPages };
    const inner = changeAll;
    changeAll = () => countLinksAround(ctx, { organizationId, spaceId }, changes, inner);
  }
  await changeAll();
}

async function store(db: Database, organizationId: string, document: PreparedDocument): Promise<void> {
  const hash = Buffer.from(document.hash, 'hex');
  const { numUpdatedRows } = await db
    .updateTable('document')
    .set({
      markdown: document.markdown,
      anchors: document.anchors,
      uses: jsonColumn(document.uses),
      derivedVersion: DERIVED_VERSION,
    })
    .where('organizationId', '=', organizationId)
    .where('hash', '=', hash)
    .where('derivedVersion', '<', DERIVED_VERSION)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return;
  for (const table of ['document_section', 'document_reference'] as const) {
    await db.deleteFrom(table).where('organizationId', '=', organizationId).where('documentHash', '=', hash).execute();
  }
  await storeParts({ db }, organizationId, [await bodyRows(document, makeYielder())]);
}
