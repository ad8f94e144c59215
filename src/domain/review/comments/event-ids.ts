/** Where something was written, as events tell it. */
export const placeOf = ({ organizationId, spaceId }: { organizationId: string; spaceId: string }) => ({
  organizationId,
  spaceId,
});

interface Told {
  id: string;
  changeRequestId: string | null;
}

const ofChangeRequest = ({ changeRequestId }: Told): Record<string, string> =>
  changeRequestId === null ? {} : { changeRequestId };

/** The ids that events of a comment tell. */
export const commentIds = (comment: Told): Record<string, string> => ({
  ...ofChangeRequest(comment),
  commentId: comment.id,
});

/** And those of a reply. */
export const replyIds = (reply: Told & { commentId: string }): Record<string, string> => ({
  ...ofChangeRequest(reply),
  commentId: reply.commentId,
  commentReplyId: reply.id,
});
