import { sql } from 'kysely';
import { z } from 'zod';
import type { Context } from '../../../platform/context.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { defineJob } from '../../../platform/jobs/job.ts';
import { transact } from '../../../platform/transact.ts';
import { RESTORABLE_MS } from './settings.ts';

/** The deletion time of a space that is being removed. In the past for every setting of the clock. */
const REMOVING = new Date(0).toISOString();

/** Maximum number of rows per statement, since long transactions delay event consumers. */
const BATCH = 5_000;

/**
 * Every table with rows that belong to a space, with the column of the space's id. Content is not included: spaces share
 * it, and garbage collection removes it.
 */
export const ROWS_OF_A_SPACE = {
  head_page: 'spaceId',
  head_file: 'spaceId',
  head_link_count: 'spaceId',
  head_outside_link: 'spaceId',
  review: 'spaceId',
  requested_reviewer: 'spaceId',
  old_slug: 'spaceId',
  head_reusable_content: 'spaceId',
  comment_reaction: 'spaceId',
  comment_reply: 'spaceId',
  comment: 'spaceId',
  search_page: 'spaceId',
  search_source: 'spaceId',
  change_request: 'spaceId',
  import_run: 'spaceId',
  git_file: 'spaceId',
  git_sync: 'spaceId',
  git_run: 'spaceId',
  git_connection: 'spaceId',
  translation: 'spaceId',
  revision: 'spaceId',
  site_space: 'spaceId',
  link_invite: 'spaceId',
  grant: 'targetId',
  placement: 'itemId',
} as const;

/** Permanently removes spaces that can no longer be restored. The next run continues an interrupted one. */
export const removeDeletedSpaces = defineJob(
  'remove-deleted-spaces',
  z.object({}),
  async (ctx, _data, { signal }) => {
    for (;;) {
      signal.throwIfAborted();
      const space = await ctx.db
        .selectFrom('space')
        .where('deletedAt', '<=', new Date(ctx.services.clock().getTime() - RESTORABLE_MS).toISOString())
        .orderBy('deletedAt')
        .select(['id', 'organizationId'])
        .executeTakeFirst();
      if (!space) return;
      // This prevents later restores. An earlier restore has set `deletedAt` to null.
      const taken = await ctx.db
        .updateTable('space')
        .set({ deletedAt: REMOVING })
        .where('id', '=', space.id)
        .where('deletedAt', '<=', new Date(ctx.services.clock().getTime() - RESTORABLE_MS).toISOString())
        .executeTakeFirst();
      if (taken.numUpdatedRows === 0n) continue;
      for (const [table, column] of Object.entries(ROWS_OF_A_SPACE)) await removeRows(ctx, table, column, space.id);
      await removeSpace(ctx, space);
    }
  },
  { cron: '41 * * * *', expiresIn: 3_600 },
);

async function removeRows({ db }: Context, table: string, column: string, spaceId: string): Promise<void> {
  for (let removed = BATCH; removed === BATCH; ) {
    const { numAffectedRows } = await sql`
      delete from ${sql.table(table)} where ctid = any(array(
        select ctid from ${sql.table(table)} where ${sql.ref(column)} = ${spaceId} limit ${sql.lit(BATCH)}))`.execute(
      db,
    );
    removed = Number(numAffectedRows ?? 0);
  }
}

/** The space is removed last, so that the next run finds it if this one is interrupted. */
const removeSpace = (ctx: Context, { id, organizationId }: { id: string; organizationId: string }) =>
  transact(ctx, { id: undefined, versions: undefined }, async (inside) => {
    const removed = await inside.db.deleteFrom('space').where('id', '=', id).returning('id').executeTakeFirst();
    if (removed) await recordEvent(inside, { kind: 'space_removed', organizationId, spaceId: id });
  });
