import { z } from 'zod';
import { ssoOf, userIdOf } from '../../../platform/access/actor.ts';
import { type Context, nowOf } from '../../../platform/context/context.ts';
import { anyOf } from '../../../platform/database/conditions.ts';
import { constraintMeans } from '../../../platform/database/constraints.ts';
import { entityFromRow } from '../../../platform/database/entity-from-row.ts';
import { badInput, conflict } from '../../../platform/errors/errors.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { watchSettings } from '../../../platform/events/settings-changes.ts';
import { command, idOf } from '../../../platform/operation/operation.ts';
import { webAddress } from '../../../platform/shapes/web-address.ts';
import { organizationFor, organizationForAccess, permissions, role } from '../access/index.ts';
import { isActiveProvider } from './active-provider.ts';
import { assertMembers } from './assert-members.ts';
import { Organization } from './entity.ts';
import { mergeRulesInput } from './merge-rules.ts';
import { defaultContent, emailDomains, organizationHostname, organizationTitle } from './settings.ts';

const needed = permissions.updateOrganization.organization;

constraintMeans('organization_hostname_unique', () => conflict('This hostname is already taken.'));

export const updateOrganization = command({
  name: 'updateOrganization',
  scope: 'admin',
  description: 'Updates settings of an organization. Omitted fields keep their values.',
  input: z.object({
    organizationId: idOf('org'),
    title: organizationTitle.optional(),
    emailDomains: emailDomains.optional(),
    hostname: organizationHostname.optional(),
    defaultRole: role.nullish().describe('Role of users who join by email domain. If null, they join as guests.'),
    defaultContent: defaultContent
      .nullish()
      .describe('Content that the organization shows by default. Null removes it.'),
    logo: webAddress().nullish().describe('URL of the logo, up to 2,048 characters. Null removes it.'),
    sso: z
      .boolean()
      .optional()
      .describe(
        'Whether members must sign in with SSO. CONFLICT if you would lose access yourself: turn it on in an SSO session of an active identity provider, or as an admin whom an operator has exempted.',
      ),
    ai: z.boolean().optional().describe('Whether AI features are enabled.'),
    inviteLinks: z.boolean().optional().describe('Whether people can be invited by link.'),
    mergeRules: mergeRulesInput
      .optional()
      .describe('Conditions for merging in spaces that inherit the rules of the organization.'),
  }),
  versioned: 'organizationId',
  authorize: (ctx, { organizationId = '' }) => organizationFor(ctx, organizationId, needed),
  async run(ctx, { organizationId, ...input }) {
    const find = input.sso === undefined ? organizationFor : organizationForAccess;
    const organization = entityFromRow(ctx, Organization, await find(ctx, organizationId, needed, 'for no key update'));
    if (input.defaultContent) await rejectForeignSite(ctx, organizationId, input.defaultContent.siteId);
    if (input.mergeRules) await assertMembers(ctx, organizationId, input.mergeRules, ['mergeRules']);
    if (input.sso && !organization.sso) await rejectLockOut(ctx, organizationId);
    const { defaultContent: content, ...settings } = input;
    const defaultSiteId = content === null ? null : content?.siteId;
    const changed = watchSettings(organization, SETTINGS);
    ctx.em.assign(organization, { ...settings, defaultSiteId, updatedAt: nowOf(ctx) });
    await ctx.em.flush();
    if (input.emailDomains) await endProofs(ctx, organizationId, input.emailDomains);
    await recordEvent(ctx, { kind: 'organization_updated', organizationId, changes: changed() });
    return { organizationId };
  },
});

/** Settings whose changes events record. */
const SETTINGS = [
  ...(['title', 'emailDomains', 'hostname', 'defaultRole', 'defaultSiteId', 'logo'] as const),
  ...(['sso', 'ai', 'inviteLinks', 'mergeRules'] as const),
];

/** A domain that is listed again later must be proved again. */
async function endProofs({ db }: Context, organizationId: string, listed: string[]): Promise<void> {
  await db
    .deleteFrom('email_domain_proof')
    .where('organizationId', '=', organizationId)
    .where((proof) => proof.not(proof('domain', '=', anyOf(listed))))
    .execute();
}

async function rejectForeignSite({ db }: Context, organizationId: string, siteId = ''): Promise<void> {
  const site = await db
    .selectFrom('site')
    .where('id', '=', siteId)
    .where('organizationId', '=', organizationId)
    .select('id')
    .executeTakeFirst();
  if (!site)
    throw badInput(['defaultContent', 'siteId'], `"${siteId}" is not a site of this organization.`, 'NOT_FOUND');
}

/**
 * Throws if the caller could not act in the organization once it requires SSO. A session or token of SSO shows that
 * sign-ins work, as long as its provider is active: tokens remain when their provider is deactivated. The caller has
 * locked the access.
 */
async function rejectLockOut(ctx: Context, organizationId: string): Promise<void> {
  const { actor, db } = ctx;
  const sso = ssoOf(actor);
  if (sso && (await isActiveProvider(ctx, { ...sso, organizationId }))) return;
  const membership = await db
    .selectFrom('membership')
    .where('organizationId', '=', organizationId)
    .where('userId', '=', userIdOf(actor) ?? '')
    .select('isBreakGlass')
    .executeTakeFirst();
  if (membership?.isBreakGlass) return;
  throw conflict(
    'You have not signed in with an active identity provider, and would lose access. Sign in with one of this organization, and require SSO in that session.',
  );
}
