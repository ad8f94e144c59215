export { accepted, commentBody, readCommentBody } from './comment-body.ts';
export { insertComment } from './insert-comment.ts';
export { loadCommentOfReview } from './load.ts';
export { comment, commentTarget } from './resources.ts';
export { placeInDiscussion } from './text-place.ts';
