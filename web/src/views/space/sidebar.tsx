import { useCallback, useMemo } from 'react';
import { graphql, useFragment } from 'react-relay';
import type { sidebar_space$key } from '../../__generated__/sidebar_space.graphql.ts';
import { emojiOf } from '../../app/format.ts';
import { pathOf } from '../../app/router.tsx';
import { Tree } from './tree.tsx';
import type { Row } from './tree-rows.ts';

interface Props {
  space: sidebar_space$key;
  path: string;
  onFollow: () => void;
}

/** All pages of a space as a tree. */
export function Sidebar({ space, path, onFollow }: Props) {
  const data = useFragment(
    graphql`
      fragment sidebar_space on Space {
        title
        revision {
          pages {
            ...on PageNode { __typename pageId title emoji hidden urls { app } }
            ...on LinkPage { href }
            ...on DocumentPage { pages {
              ...on PageNode { __typename pageId title emoji hidden urls { app } }
              ...on LinkPage { href }
            } }
            ...on GroupPage { pages {
              ...on PageNode { __typename pageId title emoji hidden urls { app } }
              ...on LinkPage { href }
              ...on DocumentPage { pages {
                ...on PageNode { __typename pageId title emoji hidden urls { app } }
                ...on LinkPage { href }
              } }
            } }
          }
        }
      }
    `,
    space,
  );
  const rows = useMemo(() => rowsOf(data.revision?.pages ?? [], 0, undefined), [data]);
  const loadMore = useCallback(() => {}, []);
  const currentPageId = /\/pages\/(page_\w+)/.exec(path)?.[1];
  return (
    <Tree
      rows={rows}
      currentPageId={currentPageId}
      isComplete
      onNearEnd={loadMore}
      onFollow={onFollow}
      label={`Pages of ${data.title}`}
    />
  );
}

// biome-ignore lint/suspicious/noExplicitAny: until allPages
function rowsOf(pages: readonly any[], depth: number, parentPageId: string | undefined): Row[] {
  return pages.flatMap((page) => [
    {
      pageId: page.pageId,
      title: `${emojiOf(page.emoji)} ${page.title || 'Untitled'}`.trim(),
      kind: page.__typename,
      to: page.__typename === 'GroupPage' ? undefined : (page.href ?? pathOf(page.urls.app)),
      depth,
      parentPageId,
      hasChildren: (page.pages?.length ?? 0) > 0,
    },
    ...rowsOf(page.pages ?? [], depth + 1, page.pageId),
  ]);
}
