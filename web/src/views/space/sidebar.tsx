import { useCallback, useEffect, useMemo } from 'react';
import { graphql, usePaginationFragment } from 'react-relay';
import type { SidebarPaginationQuery } from '../../__generated__/SidebarPaginationQuery.graphql.ts';
import type { sidebar_space$data, sidebar_space$key } from '../../__generated__/sidebar_space.graphql.ts';
import { emojiOf } from '../../app/format.ts';
import { pathOf } from '../../app/router.tsx';
import { Tree } from './tree.tsx';
import type { Row } from './tree-rows.ts';
import { onContentChange } from './use-space-updates.ts';

/** How many pages `allPages` gives at once. */
const MAX_PAGES = 1_000;

interface Props {
  space: sidebar_space$key;
  path: string;
  onFollow: () => void;
}

/** All pages of a space as a tree: the first thousand, and the next as the reader scrolls. */
export function Sidebar({ space, path, onFollow }: Props) {
  const { data, hasNext, isLoadingNext, loadNext, refetch } = usePaginationFragment<
    SidebarPaginationQuery,
    sidebar_space$key
  >(
    graphql`
      fragment sidebar_space on Space
      @refetchable(queryName: "SidebarPaginationQuery")
      @argumentDefinitions(count: {type: "Int", defaultValue: 1000}, cursor: {type: "String"}) {
        id title
        allPages(first: $count, after: $cursor) @connection(key: "sidebar_allPages") {
          edges {
            node {
              __typename pageId parentPageId depth hasChildren title emoji urls { app }
              ... on LinkPage { href }
            }
          }
        }
      }
    `,
    space,
  );
  const rows = useMemo(() => data.allPages.edges.map(({ node }) => rowOf(node)), [data.allPages]);
  const loadMore = useCallback(() => {
    if (!isLoadingNext) loadNext(MAX_PAGES);
  }, [isLoadingNext, loadNext]);
  useEffect(
    () => onContentChange(data.id, () => refetch({ count: MAX_PAGES }, { fetchPolicy: 'store-and-network' })),
    [data.id, refetch],
  );
  return (
    <Tree
      rows={rows}
      currentPageId={/\/pages\/(page_\w+)/.exec(path)?.[1]}
      isComplete={!hasNext}
      onNearEnd={loadMore}
      onFollow={onFollow}
      label={`Pages of ${data.title}`}
    />
  );
}

type Page = sidebar_space$data['allPages']['edges'][number]['node'];

function rowOf({ __typename: kind, title, emoji, urls, href, ...place }: Page): Row {
  const isWebsite = /^https?:/i.test(href ?? '');
  const to = kind === 'GroupPage' ? undefined : isWebsite && href ? href : pathOf(urls.app);
  return { ...place, kind, to, title: `${emojiOf(emoji)} ${title || 'Untitled'}`.trim() };
}
