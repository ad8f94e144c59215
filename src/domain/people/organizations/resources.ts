import { z } from 'zod';
import { onlySpacesOf } from '../../../platform/access/actor.ts';
import { types } from '../../../platform/resource/field-types.ts';
import { resource } from '../../../platform/resource/resource.ts';
import { appUrl, locationUrl } from '../../../platform/resource/urls.ts';
import { namedEnum } from '../../../platform/shapes/named-enum.ts';
import { accessInOrganization, type OrganizationRow, role } from '../access/index.ts';
import { emailDomainRecord } from './check-email-domain.ts';
import { type EmailDomainState, loadEmailDomainStates } from './email-domain-states.ts';
import {
  blockSource,
  mergeRuleKind,
  mergeRulesType,
  organizationCommunityType,
  organizationPlan,
  organizationType,
  organizationUseCase,
  spaceMergeRulesType,
  trialStatus,
} from './enums.ts';
import { type MergeRule, type MergeRules, rulesOf, type SpaceMergeRules } from './merge-rules.ts';
import { mergeRulesShape } from './merge-rules-shape.ts';
import { type OrganizationPermissions, permissionsBy } from './permissions.ts';

// Merge rules of the graph. REST shows them as they are stored, by `merge-rules-shape.ts`.

export const mergeRule = resource<MergeRule>(
  { name: 'MergeRule', description: 'A condition that a change request must meet before it can be merged.' },
  (f) => ({
    rule: f.enum(mergeRuleKind)('Kind of the rule.', ({ rule }) => rule),
    expression: f.string.optional('Expression that a `CUSTOM` rule evaluates. Null for other rules.', (rule) =>
      rule.rule === 'custom' ? rule.expression : null,
    ),
    message: f.string.optional(
      'Message shown when a `CUSTOM` rule is not met. Null for other rules, and if the rule has none.',
      (rule) => (rule.rule === 'custom' ? rule.message : null),
    ),
  }),
);

const mergeRules = resource<MergeRules>(
  { name: 'MergeRules', description: 'Conditions that change requests must meet before they can be merged.' },
  (f) => ({
    type: f.enum(mergeRulesType)('Whether change requests must meet conditions.', ({ type }) => type),
    rules: f.list(types.object(() => mergeRule))(
      'Rules that must all be met. Empty if there are no conditions.',
      rulesOf,
    ),
  }),
);

export const mergeRulesOfSpace = resource<SpaceMergeRules>(
  {
    name: 'SpaceMergeRules',
    description: 'Conditions that change requests of a space must meet before they can be merged.',
  },
  (f) => ({
    type: f.enum(spaceMergeRulesType)(
      'Whether the conditions are inherited, set on the space, or absent.',
      ({ type }) => type,
    ),
    rules: f.list(types.object(() => mergeRule))(
      'Rules of the space. All of them must be met. Empty if there are no conditions, or if the space inherits the rules of its organization.',
      rulesOf,
    ),
  }),
);

const organizationUrls = resource<OrganizationRow>(
  { name: 'OrganizationUrls', description: 'API and web URLs of an organization.' },
  (f) => ({
    location: f.url('URL of the organization in the REST API.', ({ id }, ctx) => locationUrl(ctx, `/v1/orgs/${id}`)),
    app: f.url('URL of the organization in the web application.', ({ id }, ctx) => appUrl(ctx, `/orgs/${id}`)),
    logo: f.url.optional('URL of the logo. Null if there is none.', ({ logo }) => logo),
  }),
);

/** The service has no billing, and therefore no trials. */
const TRIAL = { status: 'notapplicable', count: 0 } as const;

const organizationTrial = resource<typeof TRIAL>(
  {
    name: 'OrganizationTrial',
    description: 'The trial of a plan. This service has no billing, and therefore no trials.',
  },
  (f) => ({
    status: f.enum(trialStatus)('Status of the trial.', ({ status }) => status),
    count: f.count('Number of trials so far.', ({ count }) => count),
  }),
);

const organizationBlock = resource<NonNullable<OrganizationRow['blocked']>>(
  { name: 'OrganizationBlock', description: 'A block that makes an organization read-only.' },
  (f) => ({
    source: f.enum(blockSource).optional('Who blocked the organization.', ({ source }) => source),
    reason: f.string('Reason for the block, 1 to 255 characters.', ({ reason }) => reason),
  }),
);

const organizationDefaultContent = resource<{ siteId: string }>(
  { name: 'OrganizationDefaultContent', description: 'Content that an organization shows by default.' },
  (f) => ({
    type: f.json<'site'>(z.literal('site'))('Type of the content.', () => 'site', { graph: false }),
    siteId: f.id('site')('ID of the site to show.', ({ siteId }) => siteId, { rest: 'site' }),
  }),
);

const organizationPermissions = resource<OrganizationPermissions>(
  { name: 'OrganizationPermissions', description: 'Your permissions in an organization.' },
  (f) => ({
    view: f.boolean('You can see the organization.', ({ view }) => view),
    access: f.boolean('You are a member or a guest of the organization.', ({ access }) => access),
    admin: f.boolean(
      'You can change the settings of the organization, its members and all of its content.',
      ({ admin }) => admin,
    ),
    ownTeam: f.boolean('You own at least one team of the organization.', ({ ownTeam }) => ownTeam),
    createContent: f.boolean('You can create spaces, collections and sites.', ({ createContent }) => createContent),
    createOpenApiSpec: f.boolean(
      'You can create and update OpenAPI specifications.',
      ({ createOpenApiSpec }) => createOpenApiSpec,
      { rest: 'createOpenAPISpec' },
    ),
    ingestConversations: f.boolean('You can import conversations.', (row) => row.ingestConversations),
    viewBilling: f.boolean('You can see details of the plan.', ({ viewBilling }) => viewBilling),
    listMembers: f.boolean('You can list the members.', ({ listMembers }) => listMembers),
    listTeams: f.boolean('You can list the teams.', ({ listTeams }) => listTeams),
    listIntegrations: f.boolean('You can list the available integrations.', (row) => row.listIntegrations),
    listInstallations: f.boolean('You can list the installed integrations.', (row) => row.listInstallations),
    installIntegration: f.boolean('You can install integrations.', (row) => row.installIntegration),
  }),
);

const emailDomainStatus = namedEnum('EmailDomainStatus', 'Result of a check of the DNS record of an email domain.', {
  dns_passed: 'The domain has the TXT record of the organization.',
  dns_no_txt: 'The domain does not have the TXT record of the organization.',
  internal_error: 'No name server answered.',
});

const emailDomainState = resource<EmailDomainState>(
  {
    name: 'EmailDomainState',
    description: 'An email domain that an organization lists, and whether the organization has proved that it owns it.',
  },
  (f) => ({
    domain: f.string('Domain in lowercase.', ({ domain }) => domain),
    isVerified: f.boolean('Whether the domain is verified for the organization.', (row) => row.isVerified),
    isEffective: f.boolean(
      'Whether people with the domain can join the organization. False if the domain is verified for another organization, and not for this one.',
      (row) => row.isEffective,
    ),
    status: f
      .enum(emailDomainStatus)
      .optional('Result of the last check. Null before the first one.', ({ status }) => status),
    checkedAt: f.time.optional('Time of the last check. Null before the first one.', ({ checkedAt }) => checkedAt),
    record: f.string('Text of the TXT record that the domain must have.', ({ organizationId }) =>
      emailDomainRecord(organizationId),
    ),
  }),
);

export const organization = resource<OrganizationRow>(
  {
    name: 'Organization',
    object: 'organization',
    node: 'org',
    isVersioned: true,
    description: 'An organization. It owns spaces, collections and sites.',
  },
  (f) => ({
    title: f.string('Name of the organization, 2 to 255 characters.', ({ title }) => title),
    createdAt: f.time('Time when the organization was created.', ({ createdAt }) => createdAt),
    emailDomains: f.list(types.string)(
      'Email domains whose users can join the organization, in lowercase.',
      ({ emailDomains }) => emailDomains,
    ),
    emailDomainStates: f
      .list(types.object(() => emailDomainState))
      .optional(
        'Email domains of the organization, and whether they are verified. Null unless you are an admin.',
        async ({ id, emailDomains }, ctx) => {
          const access = await accessInOrganization(ctx, id);
          if (access?.role !== 'admin') return null;
          return emailDomains.length === 0 ? [] : ((await loadEmailDomainStates(ctx, id)) ?? []);
        },
      ),
    hostname: f.string.optional('Default hostname of public content. Null if none is set.', ({ hostname }) => hostname),
    customHostname: f.string.optional(
      'Custom hostname of public content. Null if none is set.',
      (row) => row.customHostname,
    ),
    type: f.enum(organizationType)('Type of the organization.', ({ type }) => type),
    useCase: f
      .enum(organizationUseCase)
      .optional('Purpose for which the organization uses the service. Null if unknown.', (row) => row.useCase),
    communityType: f
      .enum(organizationCommunityType)
      .optional('Type of community, if the organization is a community.', (row) => row.communityType),
    plan: f.enum(organizationPlan)('Plan of the organization. Plans do not limit any feature.', ({ plan }) => plan),
    defaultRole: f.enum(role).nullable(
      'Role of users who join by email domain. Null if they join as guests.',
      // Only default levels of content are ever `none`.
      ({ defaultRole }) => (defaultRole === 'none' ? null : defaultRole),
    ),
    defaultContent: f
      .object(() => organizationDefaultContent)
      .optional('Content that the organization shows by default. Null if none is set.', ({ defaultSiteId }) =>
        defaultSiteId === null ? null : { siteId: defaultSiteId },
      ),
    sso: f.boolean('Whether members must sign in with SSO.', ({ sso }) => sso),
    ai: f.boolean('Whether AI features are enabled.', ({ ai }) => ai),
    inviteLinks: f.boolean('Whether people can be invited by link.', ({ inviteLinks }) => inviteLinks),
    mergeRules: f.apart({
      graph: f.object(() => mergeRules)(
        'Conditions for merging in spaces that inherit the rules of the organization.',
        (row) => row.mergeRules,
      ),
      rest: f.json<MergeRules>(mergeRulesShape)('', (row) => row.mergeRules),
    }),
    trial: f.object(() => organizationTrial)('Trial of the plan.', () => TRIAL),
    blocked: f
      .object(() => organizationBlock)
      .optional('Block that makes the organization read-only. Null unless it is blocked.', ({ blocked }) => blocked),
    urls: f.object(() => organizationUrls)('URLs of the organization.', (row) => row),
    permissions: f.object(() => organizationPermissions)('Your permissions in the organization.', async ({ id }, ctx) =>
      permissionsBy(await accessInOrganization(ctx, id), { isSeen: onlySpacesOf(ctx.actor) !== undefined }),
    ),
  }),
);

const subdomainTarget = resource<OrganizationRow>(
  { name: 'SubdomainTarget', description: 'Organization that a subdomain points to.' },
  (f) => ({
    type: f.json<'organization'>(z.literal('organization'))('Kind of the target.', () => 'organization', {
      graph: false,
    }),
    organization: f.reference(() => organization, 'Organization that has the subdomain as its hostname.', {
      prefix: 'org',
      isRequired: true,
      id: ({ id }) => id,
      load: (row) => row,
    }),
  }),
);

export const subdomain = resource<OrganizationRow>(
  { name: 'Subdomain', object: 'subdomain', description: 'A subdomain for public content of an organization.' },
  (f) => ({
    subdomain: f.string('Name of the subdomain, 3 to 32 characters.', ({ hostname }) => hostname ?? ''),
    target: f.object(() => subdomainTarget)('Target of the subdomain.', (row) => row),
    isActive: f.boolean(
      'Whether the subdomain is in use. False if the organization is blocked.',
      (row) => !row.blocked,
    ),
  }),
);
