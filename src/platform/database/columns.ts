import { type EntitySchema, p } from '@mikro-orm/core';

/** Text without a maximum length in the database. Operations check the length, since they can explain the error. */
export const text = () => p.text();

/**
 * A time with milliseconds. It is read and written as ISO 8601 in UTC (`2026-01-31T10:00:00.000Z`), in entities too:
 * the runtime type prevents the ORM from converting to dates.
 */
export const time = () => p.string().columnType('timestamptz(3)').runtimeType('string');

/** The time of the insert, unless the command sets another. */
export const createdTime = () => time().defaultRaw('now()');

/** A SHA-256 hash. */
export const hash = () => p.blob().$type<Buffer>();

/**
 * The entity that a column refers to by its id, for `populate` and conditions. The column is a property of its own,
 * which is what is written. Entities are named, since modules do not import the tables of others. The database has no
 * foreign keys: commands hold the rows that they refer to.
 */
export const reference = (entity: string, column: string) =>
  p
    .manyToOne(entity as unknown as EntitySchema<{ id: string }>) // the ORM takes names, too
    .joinColumn(column)
    .createForeignKeyConstraint(false)
    .persist(false)
    .lazy();

/** JSON that statements query. */
export const jsonb = <T>() => p.json<T>();

/** JSON that is only stored. PostgreSQL preserves its text. */
export const json = <T>() => p.json<T>().columnType('json');

export const flag = (value: boolean) => p.boolean().default(value);

/**
 * Number of changes of the row, from which the version of a resource is computed. `raisesVersion` maintains it. The ORM
 * counts the same and reads the number back, so that entities have it after a flush.
 */
export const changes = () => p.integer().default(1).version();

/**
 * Increments `version` on every update by a trigger, so that no statement can forget it. `when` excludes updates and
 * must be spelled as PostgreSQL prints it.
 */
export const raisesVersion = (when?: string) => ({
  name: 'raise_version',
  timing: 'before' as const,
  events: ['update' as const],
  body: 'new.version := old.version + 1; return new',
  ...(when === undefined ? {} : { when }),
});
