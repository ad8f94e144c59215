import type { PayloadField } from '../../../platform/graphql/mutation.ts';
import { OrganizationType } from '../organizations/graphql.ts';
import { loadOrganization } from '../organizations/index.ts';

/** Output of a deletion of an identity provider. */
interface Deleted {
  deletedId: string | null;
  organizationId: string | null;
}

/** Payload of mutations that delete an identity provider of either protocol. */
export const deletedProvider: Record<string, PayloadField<Deleted>> = {
  deletedId: {
    type: 'ID',
    nullable: true,
    description: 'ID of the deleted provider. Null if the provider did not exist or you cannot see it.',
    resolve: ({ deletedId }) => deletedId,
  },
  organization: {
    type: OrganizationType,
    nullable: true,
    description: 'Organization that the provider belonged to. Null if nothing was deleted.',
    resolve: ({ organizationId }, ctx) => (organizationId === null ? null : loadOrganization(ctx, organizationId)),
  },
};
