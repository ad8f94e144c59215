/** Lines of a text, from an index that is a line of the document. */
export interface Lines {
  texts: readonly string[];
  from: number;
  /** Number of the line at the index, from 1. */
  line: number;
}
