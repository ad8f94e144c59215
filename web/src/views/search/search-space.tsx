import type { ReactNode } from 'react';
import { graphql, useLazyLoadQuery } from 'react-relay';
import type { searchSpaceQuery } from '../../__generated__/searchSpaceQuery.graphql.ts';
import { type Option, SearchBox } from './combobox.tsx';
import { SearchResult } from './search-result.tsx';

/** A search in the pages of a space. */
export function SearchSpace({ spaceId }: { spaceId: string }) {
  return (
    <SearchBox
      label="Search this space"
      Results={({ query, children }) => (
        <Results spaceId={spaceId} query={query}>
          {children}
        </Results>
      )}
    />
  );
}

function Results(props: { spaceId: string; query: string; children: (options: readonly Option[]) => ReactNode }) {
  const { space } = useLazyLoadQuery<searchSpaceQuery>(
    graphql`
      query searchSpaceQuery($spaceId: ID!, $query: String!) {
        space(id: $spaceId) {
          search(query: $query, first: 8) {
            nodes {
              id urls { app }
              sections { urls { app } }
              ...searchResult_page
            }
          }
        }
      }
    `,
    { spaceId: props.spaceId, query: props.query },
    { fetchPolicy: 'store-and-network' },
  );
  const options = (space?.search.nodes ?? []).map((page) => ({
    key: page.id,
    to: page.sections[0]?.urls.app ?? page.urls.app,
    content: <SearchResult page={page} />,
  }));
  return options.length === 0 ? <p className="muted">Nothing matches.</p> : props.children(options);
}
