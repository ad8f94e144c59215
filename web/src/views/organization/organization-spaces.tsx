import { graphql, usePaginationFragment } from 'react-relay';
import type { OrganizationSpacesPaginationQuery } from '../../__generated__/OrganizationSpacesPaginationQuery.graphql.ts';
import type { organizationSpaces_organization$key } from '../../__generated__/organizationSpaces_organization.graphql.ts';
import { formatCount } from '../../app/format.ts';
import { LinkList } from '../../app/link-list.tsx';
import { LoadMore } from '../../app/load-more.tsx';
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
      <LinkList items={edges.map(({ node }) => ({ ...node, title: spaceTitle(node), note: noteOf(node) }))} />
      <LoadMore pagination={pagination} count={50} />
    </section>
  );
}

function noteOf(space: { parent?: { title: string } | null; openChangeRequestsCount: number }) {
  const { parent, openChangeRequestsCount: count } = space;
  return [parent?.title, count > 0 && formatCount(count, 'open change request')].filter(Boolean).join(' · ');
}
