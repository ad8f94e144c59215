import { mutation } from '../../../platform/graphql/mutation.ts';
import { OrganizationType } from '../organizations/graphql.ts';
import { loadOrganization } from '../organizations/index.ts';
import { rotateOrganizationKeys } from './rotate-organization-keys.ts';

mutation(rotateOrganizationKeys, {
  organization: {
    type: OrganizationType,
    nullable: true,
    description: 'Organization of the keys. Null if you can no longer see it.',
    resolve: ({ organizationId }, ctx) => loadOrganization(ctx, organizationId),
  },
});
