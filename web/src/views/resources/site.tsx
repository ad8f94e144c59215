import { graphql, useLazyLoadQuery } from 'react-relay';
import type { siteQuery } from '../../__generated__/siteQuery.graphql.ts';
import { ensure } from '../../app/error-boundary.tsx';
import { wordsOf } from '../../app/format.ts';
import { OnlyFirst } from '../../app/load-more.tsx';
import { Link } from '../../app/router.tsx';
import { spaceTitle } from '../organization/space-title.ts';
import { Resource } from './resource.tsx';

export default function Site(parameters: { organizationId: string; siteId: string }) {
  const data = useLazyLoadQuery<siteQuery>(
    graphql`
      query siteQuery($organizationId: ID!, $siteId: ID!) {
        site(id: $siteId, organizationId: $organizationId) {
          title type visibility published hostname basename urls { published preview }
          siteSpaces(first: 100) {
            nodes { id path space { title emoji urls { app } } }
            pageInfo { hasNextPage }
          }
        }
      }
    `,
    parameters,
    { fetchPolicy: 'store-and-network' },
  );
  const site = ensure(data.site, 'site');
  return (
    <Resource
      title={site.title}
      fields={{
        Type: wordsOf(site.type),
        Visibility: wordsOf(site.visibility),
        Published: site.published ? <a href={site.urls.published ?? undefined}>{site.urls.published}</a> : 'No',
        Preview: <a href={site.urls.preview}>{site.urls.preview}</a>,
        Hostname: site.hostname,
        Path: site.basename,
      }}
    >
      <h2>Spaces</h2>
      <ul className="list">
        {site.siteSpaces.nodes.map(({ id, path, space }) => (
          <li key={id}>
            {space ? <Link to={space.urls.app}>{spaceTitle(space)}</Link> : <span>Space</span>}
            <code>{path}</code>
          </li>
        ))}
      </ul>
      <OnlyFirst count={site.siteSpaces.nodes.length} noun="spaces" hasMore={site.siteSpaces.pageInfo.hasNextPage} />
    </Resource>
  );
}
