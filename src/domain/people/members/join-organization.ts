import { z } from 'zod';
import { rejectBeyondReach, requireUserId } from '../../../platform/access/actor.ts';
import type { Context } from '../../../platform/context/context.ts';
import { badInput } from '../../../platform/errors/errors.ts';
import { command, idOf } from '../../../platform/operation/operation.ts';
import { lockAccess, type OrganizationRow, organizationBlockedError } from '../access/index.ts';
import { isEffective, isProvisioned } from '../organizations/index.ts';
import { domainOfEmail } from '../users/index.ts';
import { acceptMembership, joinAs } from './join.ts';

export const joinOrganization = command({
  name: 'joinOrganization',
  scope: 'admin',
  description:
    "Makes you a member of an organization with its default role. Your verified email address must have one of the organization's email domains. A domain that another organization has verified counts only if this organization has verified it too. If you are already a member, you only agree to the membership. BAD_USER_INPUT if you cannot join, if the identity provider of the organization manages its members (SCIM), or if your membership is disabled. FORBIDDEN for applications that are limited to organizations.",
  input: z.object({ organizationId: idOf('org') }),
  async run(ctx, { organizationId }): Promise<{ organizationId: string }> {
    const userId = requireUserId(ctx.actor);
    rejectBeyondReach(ctx.actor, organizationId);
    // First without the lock, for which writes in the organization wait.
    if (!(await joinable(ctx, organizationId, userId))) {
      await acceptMembership(ctx, { organizationId, userId });
      return { organizationId };
    }
    await lockAccess(ctx, organizationId);
    const organization = await joinable(ctx, organizationId, userId);
    if (organization) await joinAs(ctx, { organizationId, userId, role: organization.defaultRole });
    else await acceptMembership(ctx, { organizationId, userId });
    return { organizationId };
  },
});

/**
 * The organization that the user can join, or undefined if they are a member. The error is the same for organizations
 * that do not exist; disabled members no longer see theirs.
 */
async function joinable(ctx: Context, organizationId: string, userId: string): Promise<OrganizationRow | undefined> {
  const { db } = ctx;
  const membership = await db
    .selectFrom('membership')
    .where('organizationId', '=', organizationId)
    .where('userId', '=', userId)
    .select('isDisabled')
    .executeTakeFirst();
  if (membership?.isDisabled) throw notAllowed(organizationId);
  if (membership) return undefined;
  const [user, organization] = await Promise.all([
    db.selectFrom('user').where('id', '=', userId).select('email').executeTakeFirst(),
    db.selectFrom('organization').where('id', '=', organizationId).selectAll().executeTakeFirst(),
  ]);
  const domain = domainOfEmail(user?.email ?? '');
  if (!organization?.emailDomains.includes(domain)) throw notAllowed(organizationId);
  if (!(await isEffective(ctx, organizationId, domain))) throw notAllowed(organizationId);
  // A second account of a person would keep access after SCIM has deactivated the first.
  if (await isProvisioned(ctx, organizationId)) throw notAllowed(organizationId);
  if (organization.blocked) throw organizationBlockedError(organization.blocked.reason);
  return organization;
}

const notAllowed = (organizationId: string) =>
  badInput(
    ['organizationId'],
    `You cannot join "${organizationId}". It does not exist, your email address is not verified or does not have one of its domains, the domain is verified for another organization, or an identity provider manages its members (SCIM).`,
    'NOT_FOUND',
  );
