/** The requested page: items after (or before) the cursor. */
export interface Paging {
  /** Maximum number of items. Can be 0. */
  size: number;
  direction: 'forward' | 'backward';
  cursor?: string | undefined;
}

/** A page, in the order of the list. */
export interface ListPage<Row> {
  rows: Row[];
  hasNext: boolean;
  hasPrevious: boolean;
  /** Cursor of a row of the page. */
  cursorOf(row: Row): string;
}

/** A list of one parent. Pages and count are only read when needed. */
export interface Listed<Row> {
  /** REST omits the count, as for searches. */
  isUncounted?: true;
  /** The total is the number of rows, so that a list whose first page is its last needs no other count. */
  countsRows?: true;
  page(paging: Paging): Promise<ListPage<Row>>;
  /** Number of items on all pages. */
  total(): Promise<number>;
}

/** A list without items. */
export const NOTHING: Listed<never> = {
  page: async () => ({ rows: [], hasNext: false, hasPrevious: false, cursorOf: () => '' }),
  total: async () => 0,
};
