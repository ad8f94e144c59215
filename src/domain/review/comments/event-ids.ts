/** Where something was written, as events tell it. */
export const placeOf = ({ organization_id, space_id }: { organization_id: string; space_id: string }) => ({
  organizationId: organization_id,
  spaceId: space_id,
});

interface Told {
  id: string;
  change_request_id: string | null;
}

const ofChangeRequest = ({ change_request_id }: Told): Record<string, string> =>
  change_request_id === null ? {} : { changeRequestId: change_request_id };

/** The ids that events of a comment tell. */
export const commentIds = (comment: Told): Record<string, string> => ({
  ...ofChangeRequest(comment),
  commentId: comment.id,
});

/** And those of a reply. */
export const replyIds = (reply: Told & { comment_id: string }): Record<string, string> => ({
  ...ofChangeRequest(reply),
  commentId: reply.comment_id,
  commentReplyId: reply.id,
});
