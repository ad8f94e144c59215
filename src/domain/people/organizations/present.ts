import { z } from 'zod';
import type { Context } from '../../../platform/context.ts';
import { addressIn, countIn, idIn, mayIn, objectIs, timeIn, versionedShape } from '../../../platform/shapes.ts';
import { appUrl, locationUrl } from '../../../platform/urls.ts';
import { VERSIONED } from '../../../platform/version.ts';
import { accessInOrganization, type OrganizationRow, role } from '../access/index.ts';
import {
  blockSource,
  organizationCommunityType,
  organizationPlan,
  organizationType,
  organizationUseCase,
  trialStatus,
} from './enums.ts';
import { permissionsBy } from './permissions.ts';
import { mergeRulesShape } from './rest-merge-rules.ts';

/** There is no billing and so no trial (docs/decisions.md, Organizations). */
export const TRIAL = { status: 'notapplicable', count: 0 } as const;

export const organizationUrls = (organization: OrganizationRow, ctx: Context) => ({
  location: locationUrl(ctx, `/v1/orgs/${organization.id}`),
  app: appUrl(ctx, `/orgs/${organization.id}`),
  logo: organization.logo,
});

/** REST's Organization. */
export async function presentOrganization(organization: OrganizationRow, ctx: Context) {
  const { createOpenApiSpec, ...permissions } = permissionsBy(await accessInOrganization(ctx, organization.id));
  return {
    [VERSIONED]: organization,
    object: 'organization',
    id: organization.id,
    title: organization.title,
    createdAt: organization.createdAt,
    emailDomains: organization.emailDomains,
    type: organization.type,
    defaultRole: organization.defaultRole,
    inviteLinks: organization.inviteLinks,
    sso: organization.sso,
    ai: organization.ai,
    plan: organization.plan,
    mergeRules: organization.mergeRules,
    trial: TRIAL,
    ...whatIsSet({
      hostname: organization.hostname,
      customHostname: organization.customHostname,
      useCase: organization.useCase,
      communityType: organization.communityType,
      defaultContent: organization.defaultSiteId && { type: 'site', site: organization.defaultSiteId },
      blocked: organization.blocked,
    }),
    urls: whatIsSet(organizationUrls(organization, ctx)),
    permissions: { ...permissions, createOpenAPISpec: createOpenApiSpec },
  };
}

/** The members that are set. */
const whatIsSet = <Members extends Record<string, unknown>>(members: Members) =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null));

const permissionsShape = z
  .object({
    view: mayIn('You may see it.'),
    access: mayIn('You are a member.'),
    admin: mayIn('You may change its settings.'),
    ownTeam: mayIn('You own one of its teams.'),
    createContent: mayIn('You may create spaces and collections.'),
    createOpenAPISpec: mayIn('You may create OpenAPI specifications.'),
    ingestConversations: mayIn('You may bring in conversations.'),
    viewBilling: mayIn('You may see what it pays.'),
    listMembers: mayIn('You may see its members.'),
    listTeams: mayIn('You may see its teams.'),
    listIntegrations: mayIn('You may see its integrations.'),
    listInstallations: mayIn('You may see what is installed.'),
    installIntegration: mayIn('You may install integrations.'),
  })
  .describe('What you may do.');

export const organizationShape = versionedShape('Organization', 'The owner of spaces, collections and sites.', {
  object: objectIs('organization'),
  id: idIn('org'),
  title: z.string().describe('Its name.'),
  createdAt: timeIn('When it was founded.'),
  emailDomains: z.array(z.string()).describe('E-mail domains whose people may join.'),
  hostname: z.string().optional().describe('Default hostname of its public content.'),
  customHostname: z.string().optional().describe('A hostname of its own.'),
  type: organizationType.describe('What kind of organization it is.'),
  useCase: organizationUseCase.optional().describe('What it uses the service for.'),
  communityType: organizationCommunityType.optional().describe('What kind of community it is.'),
  defaultRole: role.nullable().describe('Role of those who join by e-mail domain; null makes them guests.'),
  defaultContent: z
    .object({ type: z.literal('site').describe('What it is.'), site: idIn('site', 'The site.') })
    .optional()
    .describe('What it shows by default.'),
  inviteLinks: z.boolean().describe('Whether people can be invited by link.'),
  sso: z.boolean().describe('Whether members must sign in by SSO.'),
  ai: z.boolean().describe('Whether features that use a model are on.'),
  plan: organizationPlan.describe('The plan that it is on.'),
  mergeRules: mergeRulesShape.describe('Conditions for merging in spaces that inherit them.'),
  trial: z
    .object({ status: trialStatus.describe('Where it stands.'), count: countIn('How many there were.') })
    .describe('The trial of a plan.'),
  blocked: z
    .object({ source: blockSource.optional().describe('Who blocked it.'), reason: z.string().describe('Why.') })
    .optional()
    .describe('Set while it refuses writes.'),
  urls: z
    .object({
      location: addressIn('Where it is in REST.'),
      app: addressIn('Where people see it.'),
      logo: addressIn('Its logo.').optional(),
    })
    .describe('Addresses.'),
  permissions: permissionsShape,
});
