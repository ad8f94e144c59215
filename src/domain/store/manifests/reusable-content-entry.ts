/** A reusable content as the manifest of a revision has it: a body that pages show in their own. */
export interface ReusableContentEntry {
  /** `reusable_…`, the same through revisions. */
  id: string;
  title: string;
  /** Hex SHA-256 of the body; absent when it is empty. */
  documentHash?: string;
}
