export type TreeErrorCode =
  /** The page or the parent is not in the tree. */
  | 'UNKNOWN_PAGE'
  /** A page of this kind is not allowed there. */
  | 'BAD_PARENT'
  /** The sibling is not a child of the parent, or is the page itself. */
  | 'BAD_POSITION'
  /** The page would be inside its own subtree. */
  | 'CYCLE'
  | 'TOO_MANY_CHILDREN'
  | 'TOO_DEEP'
  /** The page id is already in the tree. */
  | 'DUPLICATE_PAGE'
  /** A field that this kind of page does not have, or a missing required field. */
  | 'BAD_FIELD'
  /** A slug that is not a valid path segment. */
  | 'BAD_SLUG';

/** An edit that the tree does not allow. The message explains what to change. The edit was not applied. */
export class TreeError extends Error {
  readonly code: TreeErrorCode;

  constructor(code: TreeErrorCode, message: string) {
    super(message);
    this.name = 'TreeError';
    this.code = code;
  }
}
