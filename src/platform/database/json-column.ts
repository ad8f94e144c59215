/**
 * A value for a json column of an insert or update. Columns have the type of what is read, but the driver takes JSON as
 * text, since it would write an array as an array of PostgreSQL. The type therefore fits every column. Null is the null
 * of SQL.
 */
export const jsonColumn = (value: unknown) => (value == null ? null : JSON.stringify(value)) as never;
