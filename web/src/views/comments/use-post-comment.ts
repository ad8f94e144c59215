import { graphql, useRelayEnvironment } from 'react-relay';
import type { PostCommentInput, usePostCommentMutation } from '../../__generated__/usePostCommentMutation.graphql.ts';
import type { Pending } from '../../drafts/stored-draft.ts';
import { commit } from '../../relay/commit.ts';

type Target = Pick<PostCommentInput, 'spaceId' | 'changeRequestId' | 'pageId'>;

/** Returns a function that posts a comment and appends it to a list. */
export function usePostComment(connection: string, target: Target) {
  const environment = useRelayEnvironment();
  return async ({ text, idempotencyKey }: Pending): Promise<void> => {
    await commit<usePostCommentMutation>(
      environment,
      graphql`
        mutation usePostCommentMutation($input: PostCommentInput!, $connections: [ID!]!) {
          postComment(input: $input) {
            comment @appendNode(connections: $connections, edgeTypeName: "CommentEdge") { id ...comment_comment }
          }
        }
      `,
      { input: { ...target, body: { markdown: text }, idempotencyKey }, connections: [connection] },
    );
  };
}
