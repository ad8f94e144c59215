import type { ReactNode } from 'react';
import { graphql, useLazyLoadQuery } from 'react-relay';
import type { searchOrganizationQuery } from '../../__generated__/searchOrganizationQuery.graphql.ts';
import { type Option, SearchBox } from './combobox.tsx';
import { SearchResult } from './search-result.tsx';

/** A search in all spaces of an organization. */
export function SearchOrganization({ organizationId }: { organizationId: string }) {
  return (
    <SearchBox
      label="Search all spaces"
      Results={({ query, children }) => (
        <Results organizationId={organizationId} query={query}>
          {children}
        </Results>
      )}
    />
  );
}

interface ResultsProps {
  organizationId: string;
  query: string;
  children: (options: readonly Option[]) => ReactNode;
}

function Results({ organizationId, query, children }: ResultsProps) {
  const { organization } = useLazyLoadQuery<searchOrganizationQuery>(
    graphql`
      query searchOrganizationQuery($organizationId: ID!, $query: String!) {
        organization(id: $organizationId) {
          search(query: $query, first: 5) {
            nodes {
              id title
              pages { id urls { app } ...searchResult_page }
            }
          }
        }
      }
    `,
    { organizationId, query },
    { fetchPolicy: 'store-and-network' },
  );
  const options = (organization?.search.nodes ?? []).flatMap(({ title, pages }) =>
    pages.slice(0, 3).map((page) => ({
      key: page.id,
      to: page.urls.app,
      content: (
        <>
          <span className="muted">{title}</span>
          <SearchResult page={page} />
        </>
      ),
    })),
  );
  return options.length === 0 ? <p className="muted">Nothing matches.</p> : children(options);
}
