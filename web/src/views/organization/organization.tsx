import { graphql, useLazyLoadQuery } from 'react-relay';
import type { organizationQuery } from '../../__generated__/organizationQuery.graphql.ts';
import { found } from '../../app/error-boundary.tsx';
import { Link } from '../../app/router.tsx';
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
          }
          ...organizationSpaces_organization
          ...organizationResources_organization
        }
      }
    `,
    { organizationId },
    { fetchPolicy: 'store-and-network' },
  );
  const organization = found(data.organization, 'organization');
  const collections = organization.collections.nodes;
  return (
    <div className="narrow">
      <Title text={organization.title} />
      <SearchOrganization organizationId={organization.id} />
      {collections.length > 0 && (
        <section>
          <h2>Collections</h2>
          <ul className="list">
            {collections.map(({ id, title, description, urls }) => (
              <li key={id}>
                <Link to={urls.app}>{title || 'Untitled'}</Link>
                <span className="muted">{description}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
      <OrganizationSpaces organization={organization} />
      <OrganizationResources organization={organization} />
    </div>
  );
}
