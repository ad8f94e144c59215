import { useEffect, useMemo, useRef } from 'react';
import { graphql, useLazyLoadQuery, usePaginationFragment, useRelayEnvironment, useSubscription } from 'react-relay';
import type { GraphQLSubscriptionConfig, RecordProxy } from 'relay-runtime';
import type { PageCommentsPaginationQuery } from '../../__generated__/PageCommentsPaginationQuery.graphql.ts';
import pageCommentsPagination from '../../__generated__/PageCommentsPaginationQuery.graphql.ts';
import type { pageComments_space$key } from '../../__generated__/pageComments_space.graphql.ts';
import type { pageCommentsQuery } from '../../__generated__/pageCommentsQuery.graphql.ts';
import type { pageCommentsSubscription } from '../../__generated__/pageCommentsSubscription.graphql.ts';
import { LoadMore } from '../../app/load-more.tsx';
import { refresh } from '../../relay/refresh.ts';
import { applyCommentChange } from './apply-comment-change.ts';
import { CommentView } from './comment.tsx';
import { Composer } from './composer.tsx';
import { usePostComment } from './use-post-comment.ts';

/** As the fragment has it by default. */
const PAGE_SIZE = 20;
/** The limit of the graph. */
const MOST_AT_ONCE = 100;

/** The comments on a page of a space. */
export function PageComments(props: { spaceId: string; pageId: string; mayComment: boolean }) {
  const { spaceId, pageId } = props;
  const { space } = useLazyLoadQuery<pageCommentsQuery>(
    graphql`
      query pageCommentsQuery($spaceId: ID!, $pageId: ID!) {
        space(id: $spaceId) { ...pageComments_space @arguments(pageId: $pageId) }
      }
    `,
    { spaceId, pageId },
    { fetchPolicy: 'store-and-network' },
  );
  return space ? <List {...props} space={space} /> : null;
}

interface ListProps {
  space: pageComments_space$key;
  spaceId: string;
  pageId: string;
  mayComment: boolean;
}

function List({ space, spaceId, pageId, mayComment }: ListProps) {
  const environment = useRelayEnvironment();
  const pagination = usePaginationFragment<PageCommentsPaginationQuery, pageComments_space$key>(
    graphql`
      fragment pageComments_space on Space
      @refetchable(queryName: "PageCommentsPaginationQuery")
      @argumentDefinitions(pageId: {type: "ID!"}, count: {type: "Int", defaultValue: 20}, cursor: {type: "String"}) {
        comments(
          first: $count
          after: $cursor
          targetPage: $pageId
          orderBy: {field: POSTED_AT, direction: ASC}
        ) @connection(key: "pageComments_comments") {
          __id
          edges { node { id ...comment_comment } }
        }
      }
    `,
    space,
  );
  const { comments } = pagination.data;
  const connection = comments.__id;

  const visibleCount = useRef(PAGE_SIZE);
  useEffect(() => {
    visibleCount.current = Math.min(MOST_AT_ONCE, Math.max(PAGE_SIZE, comments.edges.length));
  }, [comments.edges.length]);

  const config = useMemo((): GraphQLSubscriptionConfig<pageCommentsSubscription> => {
    const readAgain = () =>
      refresh<PageCommentsPaginationQuery>(environment, pageCommentsPagination, {
        id: spaceId,
        pageId,
        count: visibleCount.current,
      });
    return {
      subscription: graphql`
        subscription pageCommentsSubscription($spaceId: ID!) {
          commentChanged(spaceId: $spaceId) {
            kind deletedId
            comment { id target { pageId } ...comment_comment }
            commentReply { id ...reply_reply }
          }
        }
      `,
      variables: { spaceId },
      cacheConfig: { metadata: { onGap: readAgain } },
      updater: (store) => {
        const change = store.getRootField('commentChanged');
        const isOnPage = (comment: RecordProxy) => comment.getLinkedRecord('target')?.getValue('pageId') === pageId;
        if (change) applyCommentChange(store, change, connection, isOnPage);
      },
    };
  }, [environment, spaceId, pageId, connection]);
  useSubscription(config);

  const post = usePostComment(connection, { spaceId, pageId });
  const place = { organizationId: undefined, spaceId, contentId: spaceId, revisionId: undefined };
  return (
    <section className="comments" aria-label="Comments">
      <h2>Comments</h2>
      {comments.edges.map(({ node }) => (
        <CommentView key={node.id} comment={node} place={place} isOfPage />
      ))}
      <LoadMore pagination={pagination} count={PAGE_SIZE} />
      {mayComment && <Composer name={`comment:${spaceId}:${pageId}`} label="Add a comment" send={post} />}
    </section>
  );
}
