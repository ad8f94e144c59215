import { useState } from 'react';
import { graphql, useFragment, useRelayEnvironment } from 'react-relay';
import { ConnectionHandler } from 'relay-runtime';
import type { replies_comment$key } from '../../__generated__/replies_comment.graphql.ts';
import type { repliesPostMutation } from '../../__generated__/repliesPostMutation.graphql.ts';
import { DocumentView } from '../../document/document-view.tsx';
import type { Place } from '../../document/references.tsx';
import { commit } from '../../relay/commit.ts';
import { Byline } from './byline.tsx';
import { Composer } from './composer.tsx';

export function Replies(props: { comment: replies_comment$key; place: Place; mayReply: boolean }) {
  const environment = useRelayEnvironment();
  const [isOpen, setOpen] = useState(false);
  const { id, replies } = useFragment(
    graphql`
      fragment replies_comment on Comment {
        id
        replies(first: 50) @connection(key: "replies_replies") {
          edges {
            node {
              id
              postedAt
              postedBy {
                displayName
              }
              body {
                document
              }
            }
          }
        }
      }
    `,
    props.comment,
  );
  return (
    <div className="replies">
      {replies.edges.map(({ node }) => (
        <div key={node.id} className="reply">
          <Byline name={node.postedBy?.displayName} time={node.postedAt} />
          <DocumentView document={node.body.document ?? { nodes: [] }} place={props.place} />
        </div>
      ))}
      {props.mayReply && !isOpen && (
        <button type="button" className="small-button" onClick={() => setOpen(true)}>
          Reply
        </button>
      )}
      {isOpen && (
        <Composer
          name={`reply:${id}`}
          label="Reply"
          send={async ({ text, idempotencyKey }) => {
            const connections = [ConnectionHandler.getConnectionID(id, 'replies_replies')];
            await commit<repliesPostMutation>(
              environment,
              graphql`
                mutation repliesPostMutation($input: PostCommentReplyInput!, $connections: [ID!]!) {
                  postCommentReply(input: $input) {
                    commentReply @appendNode(connections: $connections, edgeTypeName: "CommentReplyEdge") {
                      id
                      postedAt
                      postedBy {
                        displayName
                      }
                      body {
                        document
                      }
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
