import { graphql, useLazyLoadQuery } from 'react-relay';
import type { collectionQuery } from '../../__generated__/collectionQuery.graphql.ts';
import { ensure } from '../../app/error-boundary.tsx';
import { formatTime } from '../../app/format.ts';
import { LinkSection } from '../../app/link-list.tsx';
import { Link } from '../../app/router.tsx';
import { spaceTitle } from '../organization/space-title.ts';
import { Resource } from './resource.tsx';

export default function Collection(parameters: { collectionId: string }) {
  const data = useLazyLoadQuery<collectionQuery>(
    graphql`
      query collectionQuery($collectionId: ID!) {
        collection(id: $collectionId) {
          title description createdAt
          organization { title urls { app } }
          collections(first: 100) {
            nodes { id title urls { app } }
            pageInfo { hasNextPage }
          }
          spaces(first: 100) {
            nodes { id title emoji urls { app } }
            pageInfo { hasNextPage }
          }
        }
      }
    `,
    { collectionId: parameters.collectionId },
    { fetchPolicy: 'store-and-network' },
  );
  const { title, description, createdAt, organization, collections, spaces } = ensure(data.collection, 'collection');
  return (
    <Resource
      title={title}
      fields={{
        Description: description,
        Organization: organization && <Link to={organization.urls.app}>{organization.title}</Link>,
        Created: formatTime(createdAt),
      }}
    >
      <LinkSection title="Collections" items={collections.nodes} hasMore={collections.pageInfo.hasNextPage} />
      <LinkSection
        title="Spaces"
        items={spaces.nodes.map((space) => ({ ...space, title: spaceTitle(space) }))}
        hasMore={spaces.pageInfo.hasNextPage}
      />
    </Resource>
  );
}
