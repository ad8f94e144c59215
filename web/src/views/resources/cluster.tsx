import { graphql, useLazyLoadQuery } from 'react-relay';
import type { clusterQuery } from '../../__generated__/clusterQuery.graphql.ts';
import { ensure } from '../../app/error-boundary.tsx';
import { formatTime, wordsOf } from '../../app/format.ts';
import { OnlyFirst } from '../../app/load-more.tsx';
import { Resource } from './resource.tsx';

export default function Cluster(parameters: { organizationId: string; clusterId: string }) {
  const data = useLazyLoadQuery<clusterQuery>(
    graphql`
      query clusterQuery($organizationId: ID!, $clusterId: ID!) {
        organization(id: $organizationId) {
          issuesCluster(id: $clusterId) {
            label summary status updatedAt stats { issues conversations }
            issues(first: 20) { nodes { id title summary } pageInfo { hasNextPage } }
          }
        }
      }
    `,
    parameters,
    { fetchPolicy: 'store-and-network' },
  );
  const cluster = ensure(data.organization?.issuesCluster, 'cluster');
  return (
    <Resource
      title={cluster.label}
      fields={{
        Summary: cluster.summary,
        Status: wordsOf(cluster.status),
        Issues: cluster.stats.issues,
        Conversations: cluster.stats.conversations,
        Updated: formatTime(cluster.updatedAt),
      }}
    >
      <h2>Issues</h2>
      <ul className="list">
        {cluster.issues.nodes.map(({ id, title, summary }) => (
          <li key={id}>
            <span>{title}</span>
            <span className="muted">{summary}</span>
          </li>
        ))}
      </ul>
      <OnlyFirst count={cluster.issues.nodes.length} noun="issues" hasMore={cluster.issues.pageInfo.hasNextPage} />
    </Resource>
  );
}
