import { Suspense, useState } from 'react';
import { graphql, useFragment, useRelayEnvironment } from 'react-relay';
import { ConnectionHandler } from 'relay-runtime';
import type { replies_comment$key } from '../../__generated__/replies_comment.graphql.ts';
import type { repliesPostMutation } from '../../__generated__/repliesPostMutation.graphql.ts';
import type { Place } from '../../document/references.tsx';
import { readDraft } from '../../drafts/stored-draft.ts';
import { useDraftName } from '../../drafts/use-draft-name.ts';
import { commit } from '../../relay/commit.ts';
import { REPLIES } from './apply-comment-change.ts';
import { Composer } from './composer.tsx';
import { Reply } from './reply.tsx';

/** As the fragment has it. */
const MOST_SHOWN = 50;

export function Replies(props: { comment: replies_comment$key; place: Place; mayReply: boolean }) {
  const { id, repliesCount, replies } = useFragment(
    graphql`
      fragment replies_comment on Comment {
        id repliesCount
        replies(first: 50) @connection(key: "replies_replies") {
          edges { node { id ...reply_reply } }
        }
      }
    `,
    props.comment,
  );
  return (
    <div className="replies">
      {replies.edges.map(({ node }) => (
        <Reply key={node.id} reply={node} place={props.place} />
      ))}
      {repliesCount > MOST_SHOWN && replies.edges.length >= MOST_SHOWN && (
        <p className="muted">
          {replies.edges.length} of {repliesCount.toLocaleString()} replies are shown.
        </p>
      )}
      {props.mayReply && (
        <Suspense fallback={null}>
          <NewReply commentId={id} />
        </Suspense>
      )}
    </div>
  );
}

/** A button that opens a field for a reply. It is open already if it has a draft. */
function NewReply({ commentId }: { commentId: string }) {
  const environment = useRelayEnvironment();
  const name = `reply:${commentId}`;
  const draftName = useDraftName(name);
  const [isOpen, setOpen] = useState(() => readDraft(draftName) !== undefined);
  if (!isOpen) {
    return (
      <button type="button" className="small-button" onClick={() => setOpen(true)}>
        Reply
      </button>
    );
  }
  return (
    <Composer
      name={name}
      label="Reply"
      send={async ({ text, idempotencyKey }) => {
        const connections = [ConnectionHandler.getConnectionID(commentId, REPLIES)];
        await commit<repliesPostMutation>(
          environment,
          graphql`
            mutation repliesPostMutation($input: PostCommentReplyInput!, $connections: [ID!]!) {
              postCommentReply(input: $input) {
                commentReply @appendNode(connections: $connections, edgeTypeName: "CommentReplyEdge") {
                  id
                  ...reply_reply
                }
              }
            }
          `,
          { input: { commentId, body: { markdown: text }, idempotencyKey }, connections },
        );
      }}
    />
  );
}
