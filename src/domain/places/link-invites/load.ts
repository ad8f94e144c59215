import { sql } from 'kysely';
import { hasScope } from '../../../platform/access/actor.ts';
import type { Context } from '../../../platform/context/context.ts';
import type { Row } from '../../../platform/database/tables.ts';
import { entityLoader } from '../../../platform/reads/entity-loader.ts';
import { batchLoader } from '../../../platform/reads/loader.ts';
import { accessInOrganization, accessLoader } from '../../people/access/index.ts';
import { LinkInvite } from './entity.ts';

export type LinkInviteRow = Row<'link_invite'>;

/** Whether the caller can see and change a link: an admin of the organization, or of the space or collection. Batched. */
export async function managesLink(
  ctx: Context,
  { organizationId, spaceId, collectionId }: LinkInviteRow,
): Promise<boolean> {
  if (!hasScope(ctx.actor, 'admin')) return false; // the id is all that others need to join
  const organizationAccess = await accessInOrganization(ctx, organizationId);
  if (!organizationAccess || organizationAccess.role === 'admin') return organizationAccess !== undefined;
  const access = spaceId
    ? await accessLoader.space(ctx, spaceId)
    : collectionId
      ? await accessLoader.collection(ctx, collectionId)
      : undefined;
  return access?.role === 'admin';
}

/** Links by id, batched. Only those that the caller can change. */
export const loadLinkInvite = entityLoader<LinkInviteRow>(LinkInvite, { isShown: managesLink });

/** Whether another valid link to the same target gives as much, by the id of the link. Batched. */
export const isRedundant = batchLoader<boolean>('redundant-links', async (ctx, ids) => {
  const { rows } = await sql<{ id: string }>`
    select i.id from link_invite i where i.id = any(${ids}::text[]) and exists (
      select from link_invite o
      where o.organization_id = i.organization_id and o.id <> i.id
        and o.space_id is not distinct from i.space_id and o.collection_id is not distinct from i.collection_id
        and (o.expires_at is null or o.expires_at > ${ctx.services.clock().toISOString()}::timestamptz)
        and (coalesce(o.role, 'none'), i.id) > (coalesce(i.role, 'none'), o.id))`.execute(ctx.db);
  return new Map(rows.map(({ id }) => [id, true]));
});
