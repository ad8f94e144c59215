import { graphql, useLazyLoadQuery } from 'react-relay';
import type { organizationsQuery } from '../../__generated__/organizationsQuery.graphql.ts';
import { wordsOf } from '../../app/format.ts';
import { LinkList } from '../../app/link-list.tsx';
import { OnlyFirst } from '../../app/load-more.tsx';
import { Title } from '../../app/title.tsx';
import { GraphError } from '../../relay/errors.ts';

/** The organizations of the viewer. */
export default function Organizations() {
  const { viewer } = useLazyLoadQuery<organizationsQuery>(
    graphql`
      query organizationsQuery {
        viewer {
          displayName
          organizations(first: 100) {
            nodes { id title type urls { app } }
            pageInfo { hasNextPage }
          }
        }
      }
    `,
    {},
    { fetchPolicy: 'store-and-network' },
  );
  if (!viewer) throw new GraphError('Sign in to see your organizations.', 'UNAUTHENTICATED');
  const nodes = viewer.organizations?.nodes ?? [];
  return (
    <div className="narrow">
      <Title text="Organizations" />
      {nodes.length === 0 && <p className="muted">You are not a member of an organization.</p>}
      <LinkList items={nodes.map((organization) => ({ ...organization, note: wordsOf(organization.type) }))} />
      <OnlyFirst
        count={nodes.length}
        noun="organizations"
        hasMore={viewer.organizations?.pageInfo.hasNextPage ?? false}
      />
    </div>
  );
}
