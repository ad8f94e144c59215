import { sql } from 'kysely';
import { hasScope } from '../../../platform/access/actor.ts';
import { type Context, nowOf } from '../../../platform/context/context.ts';
import { anyOf } from '../../../platform/database/conditions.ts';
import type { Row } from '../../../platform/database/tables.ts';
import { entityLoader } from '../../../platform/reads/entity-loader.ts';
import { batchLoader } from '../../../platform/reads/loader.ts';
import { accessInOrganization, accessLoader, isEnabledMember, reaches, roleOfUser } from '../../people/access/index.ts';
import { LinkInvite } from './entity.ts';

export type LinkInviteRow = Row<'link_invite'>;

/**
 * Whether the caller can see and change a link: an admin of the organization, or of the space or collection. Batched.
 */
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

/**
 * Links `i` that have not expired, of organizations `o` that have turned on links, to their own spaces `s` and
 * collections `c`, by creators who are enabled members. Whether these may still create them is `mayCreatorShare`.
 */
export const openLinks = (ctx: Context) =>
  ctx.db
    .selectFrom('link_invite as i')
    .innerJoin('organization as o', 'o.id', 'i.organizationId')
    .leftJoin('space as s', 's.id', 'i.spaceId')
    .leftJoin('collection as c', 'c.id', 'i.collectionId')
    .where('o.inviteLinks', '=', sql.lit(true))
    .where((eb) => eb.or([eb('i.expiresAt', 'is', null), eb('i.expiresAt', '>', nowOf(ctx))]))
    // A space that was transferred is no longer the organization's to share.
    .where((eb) =>
      eb.or([
        eb('i.spaceId', 'is', null),
        eb.and([eb('s.deletedAt', 'is', null), eb('s.organizationId', '=', eb.ref('o.id'))]),
      ]),
    )
    .where((eb) => eb.or([eb('i.collectionId', 'is', null), eb('c.organizationId', '=', eb.ref('o.id'))]))
    .where(isEnabledMember('o.id', 'i.created_by'));

/**
 * The creator of a link of `openLinks` may still create it: demoted members must not come back by their own links, with
 * another account.
 */
export const mayCreatorShare = sql<boolean>`(${isEnabledMember('o.id', 'i.created_by', 'admin')}
  or i.space_id is not null and ${reaches(roleOfUser.space(sql.ref('i.created_by'), 's'), 'admin')}
  or i.collection_id is not null and ${reaches(roleOfUser.collection(sql.ref('i.created_by'), 'c'), 'admin')})`;

const usableLinks = (ctx: Context) => openLinks(ctx).where('o.blocked', 'is', null).where(mayCreatorShare);

/** Whether people can join with a link, by its id. Batched. */
export const isUsableLink = batchLoader<boolean>('usable-links', async (ctx, ids) => {
  const rows = await usableLinks(ctx).where('i.id', '=', anyOf(ids)).select('i.id').execute();
  return new Map(rows.map(({ id }) => [id, true]));
});

/** Whether another usable link to the same target gives as much, by the id of the link. Batched. */
export const isRedundant = batchLoader<boolean>('redundant-links', async (ctx, ids) => {
  const others = usableLinks(ctx)
    .where(
      sql<boolean>`i.organization_id = l.organization_id and i.id <> l.id
        and i.space_id is not distinct from l.space_id and i.collection_id is not distinct from l.collection_id
        and (coalesce(i.role, 'none'), l.id) > (coalesce(l.role, 'none'), i.id)`,
    )
    .select('i.id');
  const rows = await ctx.db
    .selectFrom('link_invite as l')
    .where('l.id', '=', anyOf(ids))
    .where(({ exists }) => exists(others))
    .select('l.id')
    .execute();
  return new Map(rows.map(({ id }) => [id, true]));
});
