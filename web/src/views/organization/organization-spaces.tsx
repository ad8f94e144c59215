import { graphql, usePaginationFragment } from 'react-relay';
import type { OrganizationSpacesPaginationQuery } from '../../__generated__/OrganizationSpacesPaginationQuery.graphql.ts';
import type { organizationSpaces_organization$key } from '../../__generated__/organizationSpaces_organization.graphql.ts';
import { counted } from '../../app/format.ts';
import { LoadMore } from '../../app/load-more.tsx';
import { Link } from '../../app/router.tsx';
import { spaceTitle } from './space-title.ts';

export function OrganizationSpaces({ organization }: { organization: organizationSpaces_organization$key }) {
  const pagination = usePaginationFragment<OrganizationSpacesPaginationQuery, organizationSpaces_organization$key>(
    graphql`
      fragment organizationSpaces_organization on Organization
      @refetchable(queryName: "OrganizationSpacesPaginationQuery")
      @argumentDefinitions(count: {type: "Int", defaultValue: 50}, cursor: {type: "String"}) {
        spaces(first: $count, after: $cursor) @connection(key: "organizationSpaces_spaces") {
          edges {
            node {
              id title emoji openChangeRequestsCount parent { title } urls { app }
            }
          }
        }
      }
    `,
    organization,
  );
  const { edges } = pagination.data.spaces;
  return (
    <section>
      <h2>Spaces</h2>
      {edges.length === 0 && <p className="muted">There are no spaces that you can see.</p>}
      <ul className="list">
        {edges.map(({ node }) => (
          <li key={node.id}>
            <Link to={node.urls.app}>{spaceTitle(node)}</Link>
            <span className="muted">
              {[
                node.parent?.title,
                node.openChangeRequestsCount > 0 && counted(node.openChangeRequestsCount, 'open change request'),
              ]
                .filter(Boolean)
                .join(' · ')}
            </span>
          </li>
        ))}
      </ul>
      <LoadMore pagination={pagination} count={50} />
    </section>
  );
}
