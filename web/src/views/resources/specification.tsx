import { graphql, useLazyLoadQuery } from 'react-relay';
import type { specificationQuery } from '../../__generated__/specificationQuery.graphql.ts';
import { ensure } from '../../app/error-boundary.tsx';
import { formatTime, wordsOf } from '../../app/format.ts';
import { OnlyFirst } from '../../app/load-more.tsx';
import { Resource } from './resource.tsx';

export default function Specification(parameters: { organizationId: string; slug: string }) {
  const data = useLazyLoadQuery<specificationQuery>(
    graphql`
      query specificationQuery($organizationId: ID!, $slug: String!) {
        organization(id: $organizationId) {
          openApiSpec(slug: $slug) {
            slug visibility processingState sourceUrl updatedAt
            latestVersion {
              title apiVersion openApiVersion operationsCount schemasCount breakingChangesCount
              operations(first: 100) { nodes { id method path summary } pageInfo { hasNextPage } }
            }
          }
        }
      }
    `,
    parameters,
    { fetchPolicy: 'store-and-network' },
  );
  const spec = ensure(data.organization?.openApiSpec, 'specification');
  const version = spec.latestVersion;
  return (
    <Resource
      title={version?.title || spec.slug}
      fields={{
        Slug: <code>{spec.slug}</code>,
        Visibility: wordsOf(spec.visibility),
        State: wordsOf(spec.processingState),
        Source: spec.sourceUrl && <a href={spec.sourceUrl}>{spec.sourceUrl}</a>,
        Updated: formatTime(spec.updatedAt),
        Version: version && `${version.apiVersion} (OpenAPI ${version.openApiVersion})`,
        Operations: version?.operationsCount,
        Schemas: version?.schemasCount,
        'Breaking changes': version?.breakingChangesCount,
      }}
    >
      <h2>Operations</h2>
      <ul className="list">
        {version?.operations.nodes.map(({ id, method, path, summary }) => (
          <li key={id}>
            <span>
              <strong className="method">{method.toUpperCase()}</strong> <code>{path}</code>
            </span>
            <span className="muted">{summary}</span>
          </li>
        ))}
      </ul>
      {version && (
        <OnlyFirst
          count={version.operations.nodes.length}
          noun="operations"
          hasMore={version.operations.pageInfo.hasNextPage}
        />
      )}
    </Resource>
  );
}
