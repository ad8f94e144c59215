export { bodyOrThrow, commentBody, readCommentBody } from './comment-body.ts';
export { commentTarget } from './comment-target.ts';
export { insertComment } from './insert-comment.ts';
export { loadCommentOfReview } from './load.ts';
export { comment } from './resources.ts';
export { placeInDiscussion } from './text-place.ts';
