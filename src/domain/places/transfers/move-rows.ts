import { sql } from 'kysely';
import { userIdOf } from '../../../platform/access/actor.ts';
import { type Context, nowOf } from '../../../platform/context/context.ts';
import { anyOf } from '../../../platform/database/conditions.ts';
import { grantToCreator } from '../../people/access/index.ts';
import { removeSpacesFromGrants } from '../../people/oauth/index.ts';
import { transferContent } from '../../store/heads/index.ts';
import { placeItem } from '../placement/index.ts';
import type { Transfer } from './preconditions.ts';

/** Tables about spaces whose rows get the new organization here. Those of content are moved with it. */
const MOVED_ROWS = [
  'change_request',
  'review',
  'requested_reviewer',
  'comment',
  'comment_reply',
  'comment_reaction',
  'import_run',
  'git_run',
  'git_sync',
] as const;

/**
 * Moves spaces and collections with everything that belongs to them to another organization. `itemId` is the outermost
 * one, which is placed last at the top level. Granted roles are not moved: the caller becomes an admin instead. Neither
 * are limits of applications to these spaces.
 */
export async function moveRows(ctx: Context, { itemId, ...transfer }: Transfer & { itemId: string }): Promise<void> {
  const { spaceIds, collectionIds, to } = transfer;
  const itemIds = [...spaceIds, ...collectionIds];
  await transferContent(ctx, transfer);
  for (const table of MOVED_ROWS) {
    await sql`update ${sql.table(table)} set organization_id = ${to} where space_id = ${anyOf(spaceIds)}`.execute(
      ctx.db,
    );
  }
  // Sites and clusters stay.
  await ctx.db.updateTable('import_run').set({ siteId: null }).where('spaceId', '=', anyOf(spaceIds)).execute();
  await ctx.db
    .updateTable('change_request')
    .set({ issuesClusterId: null })
    .where('spaceId', '=', anyOf(spaceIds))
    .execute();
  await ctx.db.deleteFrom('grant').where('targetId', '=', anyOf(itemIds)).execute();
  // Invitations are to the organization that the content leaves.
  await ctx.db
    .deleteFrom('link_invite')
    .where((link) => link.or([link('spaceId', '=', anyOf(spaceIds)), link('collectionId', '=', anyOf(collectionIds))]))
    .execute();
  for (const [table, ids] of [
    ['space', spaceIds],
    ['collection', collectionIds],
  ] as const) {
    await ctx.db
      .updateTable(table)
      .set({ organizationId: to, updatedAt: nowOf(ctx) })
      .where('id', '=', anyOf(ids))
      .execute();
  }
  await ctx.db
    .updateTable('placement')
    .set({ organizationId: to })
    .where('itemId', '=', anyOf(itemIds.filter((id) => id !== itemId)))
    .execute();
  await placeItem(ctx, { itemId, organizationId: to, parentId: null });
  await grantToCreator(ctx, { targetId: itemId, organizationId: to });
  await grantInside(ctx, transfer, itemId);
  await removeSpacesFromGrants(ctx, spaceIds);
}

/** Items inside that do not inherit the role of the caller from around them need a grant of their own. */
async function grantInside(ctx: Context, { spaceIds, collectionIds, to }: Transfer, itemId: string): Promise<void> {
  const userId = userIdOf(ctx.actor);
  if (userId === undefined) return;
  await sql`
    insert into "grant" (target_id, grantee_id, organization_id, role, created_at)
    select i.id, ${userId}, ${to}, 'admin', ${nowOf(ctx)} from (
      select s.id, s.default_level from space s where s.id = ${anyOf(spaceIds)}
      union all
      select c.id, c.default_level from collection c where c.id = ${anyOf(collectionIds)}) i
    where i.id <> ${itemId} and i.default_level is not null`.execute(ctx.db);
}
