import { useEffect } from 'react';
import { graphql, usePaginationFragment } from 'react-relay';
import type { ChangeRequestCommentsPaginationQuery } from '../../__generated__/ChangeRequestCommentsPaginationQuery.graphql.ts';
import type { changeRequestComments_changeRequest$key } from '../../__generated__/changeRequestComments_changeRequest.graphql.ts';
import { LoadMore } from '../../app/load-more.tsx';
import { CommentView } from '../comments/comment.tsx';
import { Composer } from '../comments/composer.tsx';
import { usePostComment } from '../comments/use-post-comment.ts';
import type { Shown } from './use-change-request-updates.ts';

/** As the fragment has it by default. */
const PAGE_SIZE = 20;

interface Props {
  changeRequest: changeRequestComments_changeRequest$key;
  spaceId: string;
  mayComment: boolean;
  /** Where the list notes how many comments it shows. */
  shown: { current: Shown };
}

/** The comments on a change request. */
export function ChangeRequestComments({ changeRequest, spaceId, mayComment, shown }: Props) {
  const pagination = usePaginationFragment<
    ChangeRequestCommentsPaginationQuery,
    changeRequestComments_changeRequest$key
  >(
    graphql`
      fragment changeRequestComments_changeRequest on ChangeRequest
      @refetchable(queryName: "ChangeRequestCommentsPaginationQuery")
      @argumentDefinitions(count: {type: "Int", defaultValue: 20}, cursor: {type: "String"}) {
        id
        comments(
          first: $count
          after: $cursor
          orderBy: {field: POSTED_AT, direction: ASC}
        ) @connection(key: "changeRequestComments_comments") {
          __id
          edges { node { id ...comment_comment } }
        }
      }
    `,
    changeRequest,
  );
  const { id: changeRequestId, comments } = pagination.data;
  const connection = comments.__id;
  useEffect(() => {
    shown.current.comments = Math.max(PAGE_SIZE, comments.edges.length);
  }, [shown, comments.edges.length]);
  const post = usePostComment(connection, { changeRequestId });
  const place = { organizationId: undefined, spaceId, contentId: changeRequestId, revisionId: undefined };
  return (
    <section className="comments" aria-label="Comments">
      <h2>Comments</h2>
      {comments.edges.map(({ node }) => (
        <CommentView key={node.id} comment={node} place={place} />
      ))}
      <LoadMore pagination={pagination} count={PAGE_SIZE} />
      {mayComment && <Composer name={`comment:${changeRequestId}`} label="Add a comment" send={post} />}
    </section>
  );
}
