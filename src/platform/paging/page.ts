/** How much of a list is wanted, and from where. A cursor names the last item seen; items come after (or before) it. */
export interface Paging {
  /** How many items at most; 0 asks for none. */
  size: number;
  direction: 'forward' | 'backward';
  cursor?: string | undefined;
}

/** A part of a list, in the list's order. */
export interface Page<Row> {
  rows: Row[];
  hasNext: boolean;
  hasPrevious: boolean;
  /** The cursor of one of the rows. */
  cursorOf(row: Row): string;
}

/** A list of one parent: whatever is not asked for costs nothing. */
export interface Listed<Row> {
  /** REST sends no count of it, as of searches (docs/decisions.md, Lists and pagination). */
  isUncounted?: true;
  page(paging: Paging): Promise<Page<Row>>;
  /** How many items there are over all pages. */
  total(): Promise<number>;
}
