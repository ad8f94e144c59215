import { graphql, useLazyLoadQuery } from 'react-relay';
import type { searchSpaceQuery } from '../../__generated__/searchSpaceQuery.graphql.ts';
import { SearchBox } from './combobox.tsx';
import { SearchResult } from './search-result.tsx';

/** A search in the pages of a space. */
export const SearchSpace = ({ spaceId }: { spaceId: string }) => (
  <SearchBox label="Search this space" useOptions={(query) => usePages(spaceId, query)} />
);

function usePages(spaceId: string, query: string) {
  const { space } = useLazyLoadQuery<searchSpaceQuery>(
    graphql`
      query searchSpaceQuery($spaceId: ID!, $query: String!) {
        space(id: $spaceId) {
          search(query: $query, first: 8) {
            nodes {
              id urls { app } sections { urls { app } }
              ...searchResult_page
            }
          }
        }
      }
    `,
    { spaceId, query },
    { fetchPolicy: 'store-and-network' },
  );
  return (space?.search.nodes ?? []).map((page) => ({
    key: page.id,
    to: page.sections[0]?.urls.app ?? page.urls.app,
    content: <SearchResult page={page} />,
  }));
}
