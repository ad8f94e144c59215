/** Returns the organization and space of an event. */
export const eventScope = ({ organizationId, spaceId }: { organizationId: string; spaceId: string }) => ({
  organizationId,
  spaceId,
});

interface Subject {
  id: string;
  changeRequestId: string | null;
}

const ofChangeRequest = ({ changeRequestId }: Subject): Record<string, string> =>
  changeRequestId === null ? {} : { changeRequestId };

/** Ids in events of comments. */
export const commentIds = (comment: Subject): Record<string, string> => ({
  ...ofChangeRequest(comment),
  commentId: comment.id,
});

/** Ids in events of replies. */
export const replyIds = (reply: Subject & { commentId: string }): Record<string, string> => ({
  ...ofChangeRequest(reply),
  commentId: reply.commentId,
  commentReplyId: reply.id,
});
