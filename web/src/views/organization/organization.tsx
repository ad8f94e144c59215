import { graphql, useLazyLoadQuery } from 'react-relay';
import type { organizationQuery } from '../../__generated__/organizationQuery.graphql.ts';
import { ensure } from '../../app/error-boundary.tsx';
import { LinkSection } from '../../app/link-list.tsx';
import { Title } from '../../app/title.tsx';
import { SearchOrganization } from '../search/search-organization.tsx';
import { OrganizationResources } from './organization-resources.tsx';
import { OrganizationSpaces } from './organization-spaces.tsx';

/** An organization: its collections, spaces and other resources. */
export default function Organization({ organizationId }: { organizationId: string }) {
  const data = useLazyLoadQuery<organizationQuery>(
    graphql`
      query organizationQuery($organizationId: ID!) {
        organization(id: $organizationId) {
          id title
          collections(first: 100, nested: false) {
            nodes { id title description urls { app } }
            pageInfo { hasNextPage }
          }
          ...organizationSpaces_organization
          ...organizationResources_organization
        }
      }
    `,
    { organizationId },
    { fetchPolicy: 'store-and-network' },
  );
  const organization = ensure(data.organization, 'organization');
  return (
    <div className="narrow">
      <Title text={organization.title} />
      <SearchOrganization organizationId={organization.id} />
      <LinkSection
        title="Collections"
        items={organization.collections.nodes.map((collection) => ({ ...collection, note: collection.description }))}
        hasMore={organization.collections.pageInfo.hasNextPage}
      />
      <OrganizationSpaces organization={organization} />
      <OrganizationResources organization={organization} />
    </div>
  );
}
