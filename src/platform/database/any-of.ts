import { type RawBuilder, sql } from 'kysely';

/**
 * `= any(…)` in place of `in (…)`: one parameter whatever the number of values, so one plan, and no limit of 65,535
 * parameters.
 */
export const anyOf = (values: readonly string[]): RawBuilder<string> => sql<string>`any(${values}::text[])`;
