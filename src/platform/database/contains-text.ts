import { type RawBuilder, sql } from 'kysely';

/**
 * The condition that a column contains a text, ignoring case. The text must be in lowercase. It is no pattern, so that the
 * comparison takes linear time, whatever the text.
 */
export const containsText = (column: RawBuilder<unknown>, text: string): RawBuilder<boolean> =>
  sql<boolean>`strpos(lower(${column}), ${text}) > 0`;
