/** The request's condition: the resource is in one of these versions. */
export interface ExpectedVersion {
  /** Id of the resource as the input names it, then that of its row. */
  id: string;
  readonly versions: readonly string[];
  /** Set when the row was compared under its lock. */
  isMet?: boolean;
}
