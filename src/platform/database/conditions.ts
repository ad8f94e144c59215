import { type RawBuilder, sql } from 'kysely';

/**
 * `= any(…)` instead of `in (…)`: one parameter for any number of values, so that there is one plan and no limit of
 * 65,535 parameters.
 */
export const anyOf = (values: readonly string[]): RawBuilder<string> => sql<string>`any(${values}::text[])`;

/**
 * The condition that a column contains a text, ignoring case. The text must be in lowercase. It is no pattern, so that
 * the comparison takes linear time, whatever the text.
 */
export const containsText = (column: RawBuilder<unknown>, text: string): RawBuilder<boolean> =>
  sql<boolean>`strpos(lower(${column}), ${text}) > 0`;
