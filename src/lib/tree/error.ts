export type TreeErrorCode =
  /** The page, or the parent, is not in the tree. */
  | 'UNKNOWN_PAGE'
  /** A page of this kind cannot stand there. */
  | 'BAD_PARENT'
  /** The named sibling is not among the children of the parent, or is the page itself. */
  | 'BAD_POSITION'
  /** The page would stand inside its own subtree. */
  | 'CYCLE'
  | 'TOO_MANY_CHILDREN'
  | 'TOO_DEEP'
  /** The page id is in the tree already. */
  | 'DUPLICATE_PAGE'
  /** A field that this kind of page lacks, or the lack of one that it needs. */
  | 'BAD_FIELD'
  /** A slug that cannot be a segment of a path. */
  | 'BAD_SLUG';

/** An edit that the tree does not allow. The message says what to change; nothing of the edit was applied. */
export class TreeError extends Error {
  readonly code: TreeErrorCode;

  constructor(code: TreeErrorCode, message: string) {
    super(message);
    this.name = 'TreeError';
    this.code = code;
  }
}
