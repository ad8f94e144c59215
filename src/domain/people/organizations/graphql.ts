import type { Context } from '../../../platform/context/context.ts';
import { builder } from '../../../platform/graphql/builder.ts';
import { connection } from '../../../platform/graphql/connection.ts';
import { lookup, orNull } from '../../../platform/graphql/lookup.ts';
import { mutation } from '../../../platform/graphql/mutation.ts';
import { registerNode } from '../../../platform/graphql/node.ts';
import { readInGraph } from '../../../platform/graphql/operations-in-graph.ts';
import { typeOf } from '../../../platform/graphql/resource-type.ts';
import { organizationFor } from '../access/index.ts';
import { readAsViewer, UserType } from '../users/graphql.ts';
import { loadUser } from '../users/index.ts';
import { createOrganization } from './create-organization.ts';
import { getOrganization } from './get-organization.ts';
import { getSubdomain } from './get-subdomain.ts';
import { listOrganizations } from './list-organizations.ts';
import { listOrganizationsByEmailDomain } from './organizations-by-email-domain.ts';
import { mergeRule, organization, subdomain } from './resources.ts';
import { updateOrganization } from './update-organization.ts';
import { verifyEmailDomain } from './verify-email-domain.ts';

builder.objectFields(typeOf(mergeRule), (t) => ({
  users: t.field({
    type: [UserType],
    nullable: { list: true, items: true },
    description:
      'Users that the rule names, for `REQUIRE_SPECIFIC_REVIEWERS`, `REQUIRE_ONE_OF_SPECIFIC_REVIEWERS` and `ALLOW_BYPASS`. Null for other rules. Users whose accounts no longer exist are null.',
    resolve: (rule, _args, ctx) => ('users' in rule ? Promise.all(rule.users.map((id) => loadUser(ctx, id))) : null),
  }),
}));

export const OrganizationType = typeOf(organization);

registerNode(OrganizationType, 'org', (ctx, id) => orNull(getOrganization(ctx, { organizationId: id })));

lookup('organization', getOrganization, OrganizationType, { id: 'organizationId' });

lookup('subdomain', getSubdomain, typeOf(subdomain), { name: 'subdomain' });

readInGraph(listOrganizationsByEmailDomain);
builder.queryField('organizationsByEmailDomain', (t) =>
  t.field({
    type: [OrganizationType],
    nullable: true,
    description: listOrganizationsByEmailDomain.description,
    args: { domain: t.arg.string({ required: true, description: 'Email domain, such as `example.com`.' }) },
    resolve: (_root, { domain }, ctx) => listOrganizationsByEmailDomain(ctx, { domain }),
  }),
);

builder.objectFields(UserType, (t) => ({
  organizations: connection(t, {
    type: OrganizationType,
    operation: listOrganizations,
    description: `${listOrganizations.description} FORBIDDEN for other users.`,
    nullable: true,
    list: (user, input, ctx) => readAsViewer(ctx, user.id, () => listOrganizations(ctx, input)),
  }),
}));

const organizationField = (description: string) => ({
  organization: {
    type: OrganizationType,
    description,
    resolve: ({ organizationId }: { organizationId: string }, ctx: Context) =>
      organizationFor(ctx, organizationId, 'member'),
  },
});

mutation(createOrganization, organizationField('The new organization.'));
mutation(updateOrganization, organizationField('The updated organization.'));
mutation(verifyEmailDomain, organizationField('The organization, with the state of the domain.'));
