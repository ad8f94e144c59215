import { useCallback, useEffect, useMemo, useState } from 'react';
import { graphql, usePaginationFragment } from 'react-relay';
import type { SidebarPaginationQuery } from '../../__generated__/SidebarPaginationQuery.graphql.ts';
import type { sidebar_space$data, sidebar_space$key } from '../../__generated__/sidebar_space.graphql.ts';
import { emojiOf } from '../../app/format.ts';
import { pathOf } from '../../app/router.tsx';
import { pause } from '../../relay/subscribe.ts';
import { Tree } from './tree.tsx';
import type { Row } from './tree-rows.ts';

/** How many pages `allPages` gives at once. */
const MAX_PAGES = 1_000;
/** How long after a failure the next pages are asked for again, in milliseconds. */
const RETRY_AFTER_MS = 20_000;

interface Props {
  space: sidebar_space$key;
  path: string;
  onFollow: () => void;
}

/**
 * All pages of a space as a tree: the first thousand, and the next as the reader scrolls. The layout reads them again
 * after changes.
 */
export function Sidebar({ space, path, onFollow }: Props) {
  const { data, hasNext, isLoadingNext, loadNext } = usePaginationFragment<SidebarPaginationQuery, sidebar_space$key>(
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
  const [hasFailed, setFailed] = useState(false);
  const loadMore = useCallback(() => {
    if (!isLoadingNext) loadNext(MAX_PAGES, { onComplete: (error) => setFailed(error !== null) });
  }, [isLoadingNext, loadNext]);
  useEffect(() => {
    if (!hasFailed) return undefined;
    const ended = new AbortController();
    pause(RETRY_AFTER_MS, ended.signal).then(() => setFailed(false));
    return () => ended.abort();
  }, [hasFailed]);
  return (
    <Tree
      rows={rows}
      currentPageId={/\/pages\/(page_\w+)/.exec(path)?.[1]}
      isComplete={!hasNext || hasFailed}
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
