import { p } from '@mikro-orm/core';
import { ROLES } from '../access/roles.ts';

/** Text without a length in the database: lengths are rules of operations, where the error can be explained. */
export const text = () => p.text();

/**
 * A point in time in milliseconds. Reads as ISO 8601 text in UTC (`2026-01-31T10:00:00.000Z`), and is written as such, in
 * entities too: the type at run time keeps the ORM from making dates of it.
 */
export const time = () => p.string().columnType('timestamptz(3)').runtimeType('string');

/** The time of the insert, when the command gives none. */
export const createdTime = () => time().defaultRaw('now()');

/** A SHA-256. */
export const hash = () => p.blob().$type<Buffer>();

/** A step of the role ladder. */
export const role = () => p.enum(ROLES).nativeEnumName('role');

/** JSON that SQL looks into. */
export const jsonb = <T>() => p.json<T>();

/** JSON that only travels: PostgreSQL keeps its text as it was written. */
export const json = <T>() => p.json<T>().columnType('json');

export const flag = (value: boolean) => p.boolean().default(value);

/** How often the row was changed: what `version` of a resource is made of. `raisesVersion` keeps it. */
export const changes = () => p.integer().default(1);

/**
 * Raises `version` with every update, so that no statement can forget it; `when` leaves updates out, in PostgreSQL's own
 * spelling.
 */
export const raisesVersion = (when?: string) => ({
  name: 'raise_version',
  timing: 'before' as const,
  events: ['update' as const],
  body: 'new.version := old.version + 1; return new',
  ...(when === undefined ? {} : { when }),
});
