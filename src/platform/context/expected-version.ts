/** The expected versions of a resource, from the request. */
export interface ExpectedVersion {
  /** Id of the resource in the input, later of its row. */
  id: string;
  readonly versions: readonly string[];
  /** Set when the row was compared under its lock. */
  isMet?: boolean;
}
