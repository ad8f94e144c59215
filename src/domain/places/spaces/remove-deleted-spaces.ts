import { sql } from 'kysely';
import { z } from 'zod';
import type { Context } from '../../../platform/context/context.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { defineJob } from '../../../platform/jobs/job.ts';
import { isDecisionTable, withAccessLock } from '../../people/access/index.ts';
import { lastRestorable } from './access.ts';
import { type RemovedSpace, runBeforeRemoval } from './before-removal.ts';

/** The deletion time of a space that is being removed. In the past for every setting of the clock. */
const REMOVING = new Date(0).toISOString();

/** Maximum number of rows per statement, since long transactions delay event consumers. */
const ROWS_PER_STATEMENT = 5_000;

/**
 * Every table with rows that belong to a space, with the column of the space's id. Content is not included: spaces
 * share it, and garbage collection removes it.
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
        .where('deletedAt', '<=', lastRestorable(ctx))
        .orderBy('deletedAt')
        .select(['id', 'organizationId'])
        .executeTakeFirst();
      if (!space) return;
      if (!(await take(ctx, space))) continue;
      await runBeforeRemoval(ctx, space);
      for (const [table, column] of Object.entries(ROWS_OF_A_SPACE)) await removeRows(ctx, space, table, column);
      await removeSpace(ctx, space);
    }
  },
  { cron: '41 * * * *', expiresIn: 3_600 },
);

/** Prevents later restores. False if the space was restored or transferred before. */
const take = (ctx: Context, { id, organizationId }: RemovedSpace): Promise<boolean> =>
  withAccessLock(ctx, organizationId, async ({ db }) => {
    const { numUpdatedRows } = await db
      .updateTable('space')
      .set({ deletedAt: REMOVING })
      .where('id', '=', id)
      .where('organizationId', '=', organizationId)
      .where('deletedAt', '<=', lastRestorable(ctx))
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  });

/**
 * Removes until no row is found: a batch can lack rows that it found, because a row that is updated meanwhile gets
 * another ctid.
 */
async function removeRows(ctx: Context, space: RemovedSpace, table: string, column: string): Promise<void> {
  const removeSome = async ({ db }: Context) => {
    const { rows } = await sql<{ found: number }>`
      with found as materialized (
        select ctid as place from ${sql.table(table)} where ${sql.ref(column)} = ${space.id} limit ${sql.lit(ROWS_PER_STATEMENT)}),
      removed as (delete from ${sql.table(table)} where ctid = any(array(select place from found)))
      select count(*)::int as found from found`.execute(db);
    return rows[0]?.found ?? 0;
  };
  for (let found = ROWS_PER_STATEMENT; found > 0; ) {
    found = await (isDecisionTable(table) ? withAccessLock(ctx, space.organizationId, removeSome) : removeSome(ctx));
  }
}

/** The space is removed last, so that the next run finds it if this one is interrupted. */
const removeSpace = (ctx: Context, { id, organizationId }: RemovedSpace) =>
  withAccessLock(ctx, organizationId, async (inside) => {
    const removed = await inside.db.deleteFrom('space').where('id', '=', id).returning('id').executeTakeFirst();
    if (removed) await recordEvent(inside, { kind: 'space_removed', organizationId, spaceId: id });
  });
