import { builder } from '../../../platform/graphql/builder.ts';
import { connection } from '../../../platform/graphql/connection.ts';
import { mutation } from '../../../platform/graphql/mutation.ts';
import { registerNode } from '../../../platform/graphql/node.ts';
import { typeOf } from '../../../platform/graphql/resource-type.ts';
import { OrganizationType } from '../organizations/graphql.ts';
import { loadOrganization } from '../organizations/index.ts';
import { createScimToken } from './create-scim-token.ts';
import { listScimTokens } from './list-scim-tokens.ts';
import { loadScimToken } from './load-scim-token.ts';
import { scimToken } from './resources.ts';
import { revokeScimToken } from './revoke-scim-token.ts';

const ScimTokenType = typeOf(scimToken);

registerNode(ScimTokenType, 'scimtoken', loadScimToken);

builder.objectFields(OrganizationType, (t) => ({
  scimTokens: connection(t, {
    type: ScimTokenType,
    operation: listScimTokens,
    description: `${listScimTokens.description} FORBIDDEN if you are not an admin.`,
    nullable: true,
    parent: 'organizationId',
  }),
}));

mutation(createScimToken, {
  scimToken: { type: ScimTokenType, description: 'The new token.', resolve: (output) => output.scimToken },
  secret: {
    type: 'String',
    nullable: true,
    description:
      'The token to enter at the identity provider. Returned only once: null if the mutation is repeated with the same idempotency key.',
    resolve: ({ secret }) => secret,
  },
});

mutation(revokeScimToken, {
  deletedId: {
    type: 'ID',
    nullable: true,
    description: 'ID of the revoked token. Null if it did not exist or you cannot see it.',
    resolve: ({ deletedId }) => deletedId,
  },
  organization: {
    type: OrganizationType,
    nullable: true,
    description: 'Organization that the token belonged to. Null if nothing was revoked.',
    resolve: ({ organizationId }, ctx) => (organizationId === null ? null : loadOrganization(ctx, organizationId)),
  },
});
