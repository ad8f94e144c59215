import { useState } from 'react';
import { graphql, useFragment, useMutation } from 'react-relay';
import type { comment_comment$key } from '../../__generated__/comment_comment.graphql.ts';
import type { commentResolveMutation } from '../../__generated__/commentResolveMutation.graphql.ts';
import { ErrorMessage } from '../../app/error-message.tsx';
import { DocumentView } from '../../document/document-view.tsx';
import type { Place } from '../../document/references.tsx';
import { Byline } from './byline.tsx';
import { Replies } from './replies.tsx';

/** A comment with its replies. */
export function CommentView(props: { comment: comment_comment$key; place: Place; isOfPage?: boolean }) {
  const { comment, place, isOfPage = false } = props;
  const data = useFragment(
    graphql`
      fragment comment_comment on Comment {
        id postedAt postedBy { displayName } body { document } status permissions { edit reply }
        target { page { title } }
        ...replies_comment
      }
    `,
    comment,
  );
  const [error, setError] = useState<Error>();
  const [commit] = useMutation<commentResolveMutation>(graphql`
    mutation commentResolveMutation($input: UpdateCommentInput!) {
      updateComment(input: $input) { comment { id status resolvedAt } }
    }
  `);
  const isResolved = data.status === 'RESOLVED';
  const resolve = () => {
    setError(undefined);
    commit({
      variables: { input: { commentId: data.id, resolved: !isResolved } },
      optimisticResponse: {
        updateComment: { comment: { id: data.id, status: isResolved ? 'OPEN' : 'RESOLVED', resolvedAt: null } },
      },
      onError: setError,
    });
  };
  const pageTitle = data.target.page?.title;
  return (
    <article
      className={isResolved ? 'comment resolved' : 'comment'}
      aria-label={`Comment by ${data.postedBy?.displayName ?? 'a former user'}`}
    >
      <Byline name={data.postedBy?.displayName} time={data.postedAt}>
        {!isOfPage && pageTitle !== undefined && ` on ${pageTitle}`}
        {isResolved && <span className="chip">Resolved</span>}
      </Byline>
      <DocumentView document={data.body.document ?? { nodes: [] }} place={place} />
      {data.permissions.edit && (
        <button type="button" className="small-button" onClick={resolve}>
          {isResolved ? 'Reopen' : 'Resolve'}
        </button>
      )}
      <ErrorMessage error={error} />
      <Replies comment={data} place={place} mayReply={data.permissions.reply} />
    </article>
  );
}
