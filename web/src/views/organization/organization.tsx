import { useEffect } from 'react';
import { graphql, useLazyLoadQuery, useRelayEnvironment } from 'react-relay';
import type { organizationPingMutation } from '../../__generated__/organizationPingMutation.graphql.ts';
import type { organizationQuery } from '../../__generated__/organizationQuery.graphql.ts';
import { ensure } from '../../app/error-boundary.tsx';
import { LinkSection } from '../../app/link-list.tsx';
import { Title } from '../../app/title.tsx';
import { commit } from '../../relay/commit.ts';
import { SearchOrganization } from '../search/search-organization.tsx';
import { OrganizationResources } from './organization-resources.tsx';
import { OrganizationSpaces } from './organization-spaces.tsx';

const PING = graphql`
  mutation organizationPingMutation($input: PingOrganizationInput!) {
    pingOrganization(input: $input) { member { id } }
  }
`;

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
  const environment = useRelayEnvironment();
  const { id: pinged } = organization;
  // Members whom an administrator has added agree by coming. Readers who are no members cannot ping, which changes
  // nothing for them.
  useEffect(() => {
    commit<organizationPingMutation>(environment, PING, { input: { organizationId: pinged } }).catch(() => {});
  }, [environment, pinged]);
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
