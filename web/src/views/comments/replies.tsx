import { useState } from 'react';
import { graphql, useFragment, useRelayEnvironment } from 'react-relay';
import { ConnectionHandler } from 'relay-runtime';
import type { replies_comment$key } from '../../__generated__/replies_comment.graphql.ts';
import type { repliesPostMutation } from '../../__generated__/repliesPostMutation.graphql.ts';
import type { Place } from '../../document/references.tsx';
import { readDraft } from '../../drafts/stored-draft.ts';
import { commit } from '../../relay/commit.ts';
import { REPLIES } from './apply-comment-change.ts';
import { Composer } from './composer.tsx';
import { Reply } from './reply.tsx';

/** As the fragment has it. */
const MOST_SHOWN = 50;

export function Replies(props: { comment: replies_comment$key; place: Place; mayReply: boolean }) {
  const environment = useRelayEnvironment();
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
  const draftName = `reply:${id}`;
  const [isOpen, setOpen] = useState(() => readDraft(draftName) !== undefined);
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
      {props.mayReply && !isOpen && (
        <button type="button" className="small-button" onClick={() => setOpen(true)}>
          Reply
        </button>
      )}
      {isOpen && (
        <Composer
          name={draftName}
          label="Reply"
          send={async ({ text, idempotencyKey }) => {
            const connections = [ConnectionHandler.getConnectionID(id, REPLIES)];
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
              { input: { commentId: id, body: { markdown: text }, idempotencyKey }, connections },
            );
          }}
        />
      )}
    </div>
  );
}
