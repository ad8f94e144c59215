import { rejectLimitedToSpaces } from '../../../platform/access/actor.ts';
import type { Context } from '../../../platform/context/context.ts';
import { lockEntity } from '../../../platform/database/lock-entity.ts';
import { badInput, forbidden, notFound } from '../../../platform/errors/errors.ts';
import { idOf } from '../../../platform/operation/operation.ts';
import { recordVersion } from '../../../platform/operation/version.ts';
import {
  assertAdmin,
  authorize,
  isVisible,
  loadWithAccess,
  type OrganizationRow,
  organizationBlockedError,
  organizationFor,
} from '../../people/access/index.ts';
import { LinkInvite } from './entity.ts';
import { type LinkInviteRow, loadLinkInvite, managesLink } from './load.ts';

/** The input by which operations identify a link. REST paths contain the organization as well. */
export const linkName = {
  inviteId: idOf('invite'),
  organizationId: idOf('org').nullish().describe('ID of the organization that the link must belong to.'),
};

export interface LinkName {
  inviteId: string;
  organizationId?: string | null | undefined;
}

/** Converts the ids of an invalid input. */
export const linkNameOf = ({ inviteId = '', organizationId }: Record<string, string>): LinkName => ({
  inviteId,
  organizationId: organizationId || null,
});

/** Target of a link, besides the organization. */
export interface InviteTarget {
  spaceId?: string | null | undefined;
  collectionId?: string | null | undefined;
}

/**
 * Throws unless the caller can create and list links to the target: an admin of the organization or, if there is one,
 * of the space or collection. A target of another organization, or one that is hidden, is BAD_USER_INPUT.
 */
export async function authorizeTarget(
  ctx: Context,
  organization: OrganizationRow,
  { spaceId, collectionId }: InviteTarget,
): Promise<void> {
  rejectLimitedToSpaces(ctx.actor);
  if (spaceId && collectionId) throw badInput(['collectionId'], 'cannot be set together with `spaceId`.', 'ONE_OF');
  if (!spaceId && !collectionId) {
    await assertAdmin(ctx, organization.id);
    return;
  }
  const [kind, id, member] = spaceId
    ? (['space', spaceId, 'spaceId'] as const)
    : (['collection', collectionId ?? '', 'collectionId'] as const);
  const target = await loadWithAccess<{ id: string; organizationId: string; deletedAt?: string | null }>(ctx, kind, id);
  const isThere = target && !target.deletedAt && target.organizationId === organization.id && isVisible(target);
  if (!isThere)
    throw badInput([member], `"${id}" does not exist in this organization, or you cannot see it.`, 'NOT_FOUND');
  authorize(ctx, target, { what: kind, id }, 'admin');
}

/** `authorizeTarget` for the ids of an invalid input. */
export async function authorizeTargetOfIds(
  ctx: Context,
  { organizationId = '', spaceId, collectionId }: Record<string, string>,
): Promise<void> {
  const organization = await organizationFor(ctx, organizationId, 'member');
  await authorizeTarget(ctx, organization, { spaceId: spaceId || null, collectionId: collectionId || null });
}

/** The organization, for commands on its links. FORBIDDEN if it is blocked. */
export async function organizationWithLinks(ctx: Context, organizationId: string): Promise<OrganizationRow> {
  const organization = await organizationFor(ctx, organizationId, 'member');
  if (organization.blocked) throw organizationBlockedError(organization.blocked.reason);
  return organization;
}

/** FORBIDDEN if people cannot be invited by link. */
export function rejectWithoutLinks({ inviteLinks }: OrganizationRow): void {
  if (!inviteLinks)
    throw forbidden(
      'Invite links are turned off in this organization. An admin can turn on its setting `inviteLinks`.',
    );
}

/**
 * Returns the link, if the caller can change it. NOT_FOUND for all others, who do not see it. Inside of commands it is
 * a locked entity. It is locked once the caller is known to see it: waiting for a lock would tell that there is one.
 */
export async function linkFor(ctx: Context, { inviteId, organizationId }: LinkName): Promise<LinkInviteRow> {
  if (organizationId) await organizationFor(ctx, organizationId, 'member');
  const seen = await loadLinkInvite(ctx, inviteId);
  if (!seen || (organizationId && seen.organizationId !== organizationId)) throw notFound('invite link', inviteId);
  if (!ctx.inTransaction) return seen;
  await organizationWithLinks(ctx, seen.organizationId);
  const link = await lockEntity(ctx, LinkInvite, { id: inviteId });
  // A new context, since access can have changed before it was locked.
  if (!link || !(await managesLink({ ...ctx }, link))) throw notFound('invite link', inviteId);
  return recordVersion(ctx, link, { lock: 'for no key update' });
}
