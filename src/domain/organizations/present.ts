import type { Context } from '../../platform/context.ts';
import { appUrl, locationUrl } from '../../platform/urls.ts';
import { VERSIONED } from '../../platform/version.ts';
import { type OrganizationRow, standingInOrganization } from '../access/index.ts';
import { permissionsBy } from './permissions.ts';

/** There is no billing and so no trial (decisions 2.9). */
export const TRIAL = { status: 'notapplicable', count: 0 } as const;

export const organizationUrls = (organization: OrganizationRow, ctx: Context) => ({
  location: locationUrl(ctx, `/v1/orgs/${organization.id}`),
  app: appUrl(ctx, `/orgs/${organization.id}`),
  logo: organization.logo,
});

/** REST's Organization (specification 2.9, decisions 11). */
export async function presentOrganization(organization: OrganizationRow, ctx: Context) {
  const { createOpenApiSpec, ...permissions } = permissionsBy(await standingInOrganization(ctx, organization.id));
  return {
    [VERSIONED]: organization,
    object: 'organization',
    id: organization.id,
    title: organization.title,
    createdAt: organization.created_at,
    emailDomains: organization.email_domains,
    type: organization.type,
    defaultRole: organization.default_role,
    inviteLinks: organization.invite_links,
    sso: organization.sso,
    ai: organization.ai,
    plan: organization.plan,
    mergeRules: organization.merge_rules,
    trial: TRIAL,
    ...whatIsSet({
      hostname: organization.hostname,
      customHostname: organization.custom_hostname,
      useCase: organization.use_case,
      communityType: organization.community_type,
      defaultContent: organization.default_site_id && { type: 'site', site: organization.default_site_id },
      blocked: organization.blocked,
    }),
    urls: whatIsSet(organizationUrls(organization, ctx)),
    permissions: { ...permissions, createOpenAPISpec: createOpenApiSpec },
  };
}

/** The members that are set. */
const whatIsSet = <Members extends Record<string, unknown>>(members: Members) =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null));
