/**
 * Names of columns are in snake_case in the database and in SQL text, names of properties in camelCase everywhere else,
 * according to MikroORM's `UnderscoreNamingStrategy`. Both directions are cached. The cache is small, since all names
 * come from the code.
 */
const columns = new Map<string, string>();
const properties = new Map<string, string>();

/** The column of a property: `created_at` for `createdAt`. Names without capitals are the same. */
export function columnOf(property: string): string {
  const cached = columns.get(property);
  if (cached !== undefined) return cached;
  const column = property.replace(/([a-z])([A-Z])/g, '$1_$2').toLowerCase();
  columns.set(property, column);
  return column;
}

/** The property of a column: `createdAt` for `created_at`. */
export function propertyOf(column: string): string {
  const cached = properties.get(column);
  if (cached !== undefined) return cached;
  const property = column.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  properties.set(column, property);
  return property;
}
