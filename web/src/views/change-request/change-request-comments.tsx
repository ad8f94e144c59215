import { graphql, usePaginationFragment } from 'react-relay';
import type { ChangeRequestCommentsPaginationQuery } from '../../__generated__/ChangeRequestCommentsPaginationQuery.graphql.ts';
import type { changeRequestComments_changeRequest$key } from '../../__generated__/changeRequestComments_changeRequest.graphql.ts';
import { LoadMore } from '../../app/load-more.tsx';
import { CommentView } from '../comments/comment.tsx';
import { Composer } from '../comments/composer.tsx';
import { usePostComment } from '../comments/use-post-comment.ts';

interface Props {
  changeRequest: changeRequestComments_changeRequest$key;
  spaceId: string;
  mayComment: boolean;
}

/** The comments on a change request. */
export function ChangeRequestComments({ changeRequest, spaceId, mayComment }: Props) {
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
  const post = usePostComment(connection, { changeRequestId });
  const place = { organizationId: undefined, spaceId, contentId: changeRequestId, revisionId: undefined };
  return (
    <section className="comments" aria-label="Comments">
      <h2>Comments</h2>
      {comments.edges.map(({ node }) => (
        <CommentView key={node.id} comment={node} place={place} />
      ))}
      <LoadMore pagination={pagination} count={20} />
      {mayComment && <Composer name={`comment:${changeRequestId}`} label="Add a comment" send={post} />}
    </section>
  );
}
