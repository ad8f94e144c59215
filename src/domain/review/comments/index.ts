export { discussionOn } from './access.ts';
export { bodyOrThrow, commentBody, readCommentBody } from './comment-body.ts';
export { commentTarget } from './comment-target.ts';
export { type FollowedDiscussion, followDiscussion, isInDiscussion } from './follow-discussion.ts';
export { insertComment } from './insert-comment.ts';
export { linkBaseInDiscussion } from './link-base.ts';
export { loadBody, loadComment, loadCommentOfReview, loadReply } from './load.ts';
export { comment } from './resources.ts';
