/** What an author decided about a conflict: one of its versions, or a text of their own. */
export type Resolution = { choice: 'OURS' | 'THEIRS' | 'BASE' } | { markdown: string };
