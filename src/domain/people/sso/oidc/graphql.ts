import { builder } from '../../../../platform/graphql/builder.ts';
import { connection } from '../../../../platform/graphql/connection.ts';
import { orNull } from '../../../../platform/graphql/lookup.ts';
import { mutation } from '../../../../platform/graphql/mutation.ts';
import { registerNode } from '../../../../platform/graphql/node.ts';
import { readInGraph } from '../../../../platform/graphql/operations-in-graph.ts';
import { typeOf } from '../../../../platform/graphql/resource-type.ts';
import { OrganizationType } from '../../organizations/graphql.ts';
import { loadProvider } from '../access.ts';
import { deletedProvider } from '../graphql-deleted-provider.ts';
import { createOidcProvider } from './create-oidc-provider.ts';
import { deleteOidcProvider } from './delete-oidc-provider.ts';
import { getOidcProvider } from './get-oidc-provider.ts';
import { listOidcProviders } from './list-oidc-providers.ts';
import { oidcProvider } from './resources.ts';
import { updateOidcProvider } from './update-oidc-provider.ts';

const OidcProviderType = typeOf(oidcProvider);

registerNode(OidcProviderType, 'oidc', loadProvider);
readInGraph(getOidcProvider);

builder.objectFields(OrganizationType, (t) => ({
  oidcProviders: connection(t, {
    type: OidcProviderType,
    operation: listOidcProviders,
    description: `${listOidcProviders.description} FORBIDDEN if you are not an admin.`,
    nullable: true,
    parent: 'organizationId',
  }),
  oidcProvider: t.field({
    type: OidcProviderType,
    nullable: true,
    description:
      'An OIDC provider of the organization. Null if it does not exist. FORBIDDEN if you are not an admin of the organization.',
    args: { id: t.arg.id({ required: true, description: 'ID of the `OidcProvider` (`oidc_…`).' }) },
    resolve: ({ id: organizationId }, { id: oidcProviderId }, ctx) =>
      orNull(getOidcProvider(ctx, { oidcProviderId, organizationId })),
  }),
}));

mutation(createOidcProvider, {
  oidcProvider: { type: OidcProviderType, description: 'The new provider.', resolve: (provider) => provider },
});

mutation(updateOidcProvider, {
  oidcProvider: { type: OidcProviderType, description: 'The updated provider.', resolve: (provider) => provider },
});

mutation(deleteOidcProvider, deletedProvider);
