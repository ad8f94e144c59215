import { builder } from '../../../platform/graphql/builder.ts';
import { connection } from '../../../platform/graphql/connection.ts';
import { orNull } from '../../../platform/graphql/lookup.ts';
import { mutation } from '../../../platform/graphql/mutation.ts';
import { registerNode } from '../../../platform/graphql/node.ts';
import { readInGraph } from '../../../platform/graphql/operations-in-graph.ts';
import { typeOf } from '../../../platform/graphql/resource-type.ts';
import { MemberType } from '../members/graphql.ts';
import { OrganizationType } from '../organizations/graphql.ts';
import { loadProvider } from './access.ts';
import { createSamlProvider } from './create-saml-provider.ts';
import { deleteSamlProvider } from './delete-saml-provider.ts';
import { getSamlProvider } from './get-saml-provider.ts';
import { deletedProvider } from './graphql-deleted-provider.ts';
import { listSamlProviders } from './list-saml-providers.ts';
import { listSsoLogins } from './list-sso-logins.ts';
import { samlProvider, ssoLogin } from './resources.ts';
import { setBreakGlass } from './set-break-glass.ts';
import { updateSamlProvider } from './update-saml-provider.ts';

const SamlProviderType = typeOf(samlProvider);
const SsoLoginType = typeOf(ssoLogin);

registerNode(SamlProviderType, 'saml', loadProvider);
readInGraph(getSamlProvider);
readInGraph(listSsoLogins);

builder.objectFields(OrganizationType, (t) => ({
  samlProviders: connection(t, {
    type: SamlProviderType,
    operation: listSamlProviders,
    description: `${listSamlProviders.description} FORBIDDEN if you are not an admin.`,
    nullable: true,
    parent: 'organizationId',
  }),
  samlProvider: t.field({
    type: SamlProviderType,
    nullable: true,
    description:
      'A SAML provider of the organization. Null if it does not exist. FORBIDDEN if you are not an admin of the organization.',
    args: { id: t.arg.id({ required: true, description: 'ID of the `SamlProvider` (`saml_…`).' }) },
    resolve: ({ id: organizationId }, { id: samlProviderId }, ctx) =>
      orNull(getSamlProvider(ctx, { samlProviderId, organizationId })),
  }),
  ssoLogins: t.field({
    type: [SsoLoginType],
    description: 'Active identity providers of the organization with their start URLs, oldest first.',
    resolve: ({ id: organizationId }, _args, ctx) => listSsoLogins(ctx, { organizationId }),
  }),
}));

builder.queryField('ssoLogins', (t) =>
  t.field({
    type: [SsoLoginType],
    description: listSsoLogins.description,
    args: { organizationId: t.arg.id({ required: true, description: 'ID of the `Organization` (`org_…`).' }) },
    resolve: (_root, args, ctx) => listSsoLogins(ctx, args),
  }),
);

mutation(createSamlProvider, {
  samlProvider: { type: SamlProviderType, description: 'The new provider.', resolve: (provider) => provider },
});

mutation(updateSamlProvider, {
  samlProvider: { type: SamlProviderType, description: 'The updated provider.', resolve: (provider) => provider },
});

mutation(deleteSamlProvider, deletedProvider);

mutation(setBreakGlass, {
  member: {
    type: MemberType,
    description: 'The member, with the new value of `breakGlass`.',
    resolve: (member) => member,
  },
});
