import { graphql, useLazyLoadQuery } from 'react-relay';
import type { searchOrganizationQuery } from '../../__generated__/searchOrganizationQuery.graphql.ts';
import { SearchBox } from './combobox.tsx';
import { SearchResult } from './search-result.tsx';

/** A search in all spaces of an organization. */
export const SearchOrganization = ({ organizationId }: { organizationId: string }) => (
  <SearchBox label="Search all spaces" useOptions={(query) => usePages(organizationId, query)} />
);

/** How many pages of each space are shown. */
const MAX_PAGES = 3;

function usePages(organizationId: string, query: string) {
  const { organization } = useLazyLoadQuery<searchOrganizationQuery>(
    graphql`
      query searchOrganizationQuery($organizationId: ID!, $query: String!) {
        organization(id: $organizationId) {
          search(query: $query, first: 5) {
            nodes {
              id title
              pages {
                id urls { app }
                ...searchResult_page
              }
            }
          }
        }
      }
    `,
    { organizationId, query },
    { fetchPolicy: 'store-and-network' },
  );
  return (organization?.search.nodes ?? []).flatMap(({ title, pages }) =>
    pages.slice(0, MAX_PAGES).map((page) => ({
      key: page.id,
      to: page.urls.app,
      content: <SearchResult page={page} space={title} />,
    })),
  );
}
