import { builder } from '../../../platform/graphql/builder.ts';
import { connection } from '../../../platform/graphql/connection.ts';
import { enumType } from '../../../platform/graphql/enums.ts';
import { lookup, orNull } from '../../../platform/graphql/lookup.ts';
import { mutation } from '../../../platform/graphql/mutation.ts';
import { registerNode } from '../../../platform/graphql/node.ts';
import { versionField } from '../../../platform/graphql/version-field.ts';
import { accessInOrganization, type OrganizationRow, organizationFor, role } from '../access/index.ts';
import { ofViewer, UserType } from '../users/graphql.ts';
import { loadUser } from '../users/index.ts';
import { createOrganization } from './create-organization.ts';
import {
  blockSource,
  mergeRuleKind,
  mergeRulesType,
  organizationCommunityType,
  organizationPlan,
  organizationType,
  organizationUseCase,
  trialStatus,
} from './enums.ts';
import { getOrganization } from './get-organization.ts';
import { listOrganizations } from './list-organizations.ts';
import { type MergeRule, type MergeRules, rulesOf } from './merge-rules.ts';
import { type OrganizationPermissions, permissionsBy } from './permissions.ts';
import { organizationUrls, TRIAL } from './present.ts';
import { updateOrganization } from './update-organization.ts';

/** One condition for merging; rules of spaces are made of the same. */
export const MergeRuleType = builder.objectRef<MergeRule>('MergeRule').implement({
  description: 'A condition that a change request meets before it merges.',
  fields: (t) => ({
    rule: t.field({ type: enumType(mergeRuleKind), description: 'The condition.', resolve: ({ rule }) => rule }),
    users: t.field({
      type: [UserType],
      nullable: { list: true, items: true },
      description: 'Whom it names; null when it names nobody by its kind. Null for each whose account is gone.',
      resolve: (rule, _args, ctx) => ('users' in rule ? Promise.all(rule.users.map((id) => loadUser(ctx, id))) : null),
    }),
    expression: t.string({
      nullable: true,
      description: 'The condition of a `CUSTOM` rule.',
      resolve: (rule) => (rule.rule === 'custom' ? rule.expression : null),
    }),
    message: t.string({
      nullable: true,
      description: 'What is said when a `CUSTOM` rule is not met.',
      resolve: (rule) => (rule.rule === 'custom' ? (rule.message ?? null) : null),
    }),
  }),
});

const MergeRulesType = builder.objectRef<MergeRules>('MergeRules').implement({
  description: 'Conditions that change requests meet before they merge.',
  fields: (t) => ({
    type: t.field({
      type: enumType(mergeRulesType),
      description: 'Whether there are conditions.',
      resolve: ({ type }) => type,
    }),
    rules: t.field({ type: [MergeRuleType], description: 'The conditions; all must be met.', resolve: rulesOf }),
  }),
});

const may = (description: string) => ({ description });

const PermissionsType = builder.objectRef<OrganizationPermissions>('OrganizationPermissions').implement({
  description: 'What you may do in an organization.',
  fields: (t) => ({
    view: t.exposeBoolean('view', may('See it.')),
    access: t.exposeBoolean('access', may('Be in it as a member or a guest.')),
    admin: t.exposeBoolean('admin', may('Change its settings, members and everything in it.')),
    ownTeam: t.exposeBoolean('ownTeam', may('You own one of its teams.')),
    createContent: t.exposeBoolean('createContent', may('Create spaces, collections and sites.')),
    createOpenApiSpec: t.exposeBoolean('createOpenApiSpec', may('Create and update OpenAPI specifications.')),
    ingestConversations: t.exposeBoolean('ingestConversations', may('Send in conversations with readers.')),
    viewBilling: t.exposeBoolean('viewBilling', may('See its plan in detail.')),
    listMembers: t.exposeBoolean('listMembers', may('See who belongs to it.')),
    listTeams: t.exposeBoolean('listTeams', may('See which teams it has.')),
    listIntegrations: t.exposeBoolean('listIntegrations', may('See which integrations are on offer.')),
    listInstallations: t.exposeBoolean('listInstallations', may('List installed integrations.')),
    installIntegration: t.exposeBoolean('installIntegration', may('Install integrations.')),
  }),
});

const UrlsType = builder.objectRef<ReturnType<typeof organizationUrls>>('OrganizationUrls').implement({
  description: 'Addresses of an organization.',
  fields: (t) => ({
    location: t.expose('location', { type: 'URL', description: 'The organization in REST.' }),
    app: t.expose('app', { type: 'URL', description: 'A page for people that says how to read the organization.' }),
    logo: t.expose('logo', { type: 'URL', nullable: true, description: 'Address of the picture that stands for it.' }),
  }),
});

const TrialType = builder.objectRef<typeof TRIAL>('OrganizationTrial').implement({
  description: 'The trial of a plan. There is no billing in this service, and so no trial.',
  fields: (t) => ({
    status: t.field({ type: enumType(trialStatus), description: 'Where it stands.', resolve: ({ status }) => status }),
    count: t.exposeInt('count', { description: 'How many trials there were.' }),
  }),
});

const BlockedType = builder.objectRef<NonNullable<OrganizationRow['blocked']>>('OrganizationBlock').implement({
  description: 'Why an organization can be read, but not changed.',
  fields: (t) => ({
    source: t.field({
      type: enumType(blockSource),
      nullable: true,
      description: 'Who blocked it.',
      resolve: ({ source }) => source ?? null,
    }),
    reason: t.exposeString('reason', { description: 'The reason, 1 to 255 characters.' }),
  }),
});

const DefaultContentType = builder.objectRef<{ siteId: string }>('OrganizationDefaultContent').implement({
  description: 'What an organization shows by default: a site.',
  fields: (t) => ({ siteId: t.exposeID('siteId', { description: 'The site to open first.' }) }),
});

export const OrganizationType = builder.objectRef<OrganizationRow>('Organization').implement({
  description: 'An organization: the owner of spaces, collections and sites.',
  fields: (t) => ({
    title: t.exposeString('title', { description: 'Its name, 2 to 255 characters.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
    emailDomains: t.exposeStringList('emailDomains', {
      description: 'E-mail domains whose people may join, in lower case.',
    }),
    hostname: t.exposeString('hostname', { nullable: true, description: 'Default hostname of its public content.' }),
    customHostname: t.exposeString('customHostname', { nullable: true, description: 'A hostname of its own.' }),
    type: t.expose('type', { type: enumType(organizationType), description: 'What kind of organization it is.' }),
    useCase: t.expose('useCase', {
      type: enumType(organizationUseCase),
      nullable: true,
      description: 'What it uses the service for.',
    }),
    communityType: t.expose('communityType', {
      type: enumType(organizationCommunityType),
      nullable: true,
      description: 'What kind of community it is; null when it is none.',
    }),
    plan: t.expose('plan', { type: enumType(organizationPlan), description: 'Its plan, which gates nothing here.' }),
    defaultRole: t.field({
      type: enumType(role),
      nullable: true,
      description: 'Role of those who join by e-mail domain; null makes them guests.',
      resolve: ({ defaultRole }) => (defaultRole === 'none' ? null : defaultRole),
    }),
    defaultContent: t.field({
      type: DefaultContentType,
      nullable: true,
      description: 'What it shows by default; null is nothing in particular.',
      resolve: ({ defaultSiteId }) => (defaultSiteId === null ? null : { siteId: defaultSiteId }),
    }),
    sso: t.exposeBoolean('sso', { description: 'Whether members must sign in by SSO.' }),
    ai: t.exposeBoolean('ai', { description: 'Whether features that use a model are on.' }),
    inviteLinks: t.exposeBoolean('inviteLinks', { description: 'Whether people can be invited by link.' }),
    mergeRules: t.expose('mergeRules', {
      type: MergeRulesType,
      description: 'Conditions for merging in spaces that inherit them.',
    }),
    trial: t.field({ type: TrialType, description: 'The trial of its plan.', resolve: () => TRIAL }),
    blocked: t.expose('blocked', {
      type: BlockedType,
      nullable: true,
      description: 'Set while it can be read but not changed.',
    }),
    version: versionField(t),
    urls: t.field({
      type: UrlsType,
      description: 'Addresses of this organization.',
      resolve: (organization, _args, ctx) => organizationUrls(organization, ctx),
    }),
    permissions: t.field({
      type: PermissionsType,
      description: 'What you may do in it.',
      resolve: async ({ id }, _args, ctx) => permissionsBy(await accessInOrganization(ctx, id)),
    }),
  }),
});

registerNode(OrganizationType, 'org', (ctx, id) => orNull(getOrganization(ctx, { organizationId: id })));

lookup('organization', getOrganization, OrganizationType, { id: 'organizationId' });

builder.objectFields(UserType, (t) => ({
  organizations: connection(t, {
    type: OrganizationType,
    operation: listOrganizations,
    description: `${listOrganizations.description} FORBIDDEN on other users.`,
    nullable: true,
    without: [],
    from: () => ({}),
    list: (user, input, ctx) => ofViewer(ctx, user.id, () => listOrganizations(ctx, input)),
  }),
}));

mutation(createOrganization, {
  organization: {
    type: OrganizationType,
    description: 'The new organization.',
    resolve: ({ organizationId }, ctx) => organizationFor(ctx, organizationId, 'member'),
  },
});

mutation(updateOrganization, {
  organization: {
    type: OrganizationType,
    description: 'The organization as it is now.',
    resolve: ({ organizationId }, ctx) => organizationFor(ctx, organizationId, 'member'),
  },
});
