import { type RawBuilder, sql } from 'kysely';

/**
 * `= any(…)` instead of `in (…)`: one parameter for any number of values, so that there is one plan and no limit of
 * 65,535 parameters.
 */
export const anyOf = (values: readonly string[]): RawBuilder<string> => sql<string>`any(${values}::text[])`;
