export { accepted, commentBody, readCommentBody } from './comment-body.ts';
export { insertComment } from './insert-comment.ts';
export { loadCommentOfReview } from './load.ts';
export { commentShape, presentComment } from './present.ts';
export { placeInDiscussion } from './text-place.ts';
