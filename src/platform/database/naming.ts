/**
 * Columns are snake_case in the database and in SQL text, properties camelCase everywhere else, by the rule of MikroORM's
 * `UnderscoreNamingStrategy`. Both directions are remembered by name: names come from the code and are few.
 */
const columns = new Map<string, string>();
const properties = new Map<string, string>();

/** The column of a property: `createdAt` is `created_at`. A name without capitals is the same in both. */
export function columnOf(property: string): string {
  const known = columns.get(property);
  if (known !== undefined) return known;
  const column = property.replace(/([a-z])([A-Z])/g, '$1_$2').toLowerCase();
  columns.set(property, column);
  return column;
}

/** The property of a column: `created_at` is `createdAt`. */
export function propertyOf(column: string): string {
  const known = properties.get(column);
  if (known !== undefined) return known;
  const property = column.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  properties.set(column, property);
  return property;
}
