import { sha256 } from '../lib/canonical.ts';
import type { Context } from './context.ts';
import { ApiError } from './errors.ts';

/** A row that counts its changes: the database raises `version` on every update. */
export interface Versioned {
  readonly id: string;
  readonly version: number;
  readonly updatedAt: string;
}

/**
 * What a client gives back to say which state of a resource it knows. Opaque. The counter tells two changes of one
 * millisecond apart, the time those made before and after a backup was restored.
 */
export const versionOf = ({ id, version, updatedAt }: Versioned): string =>
  sha256(`${id} ${version} ${updatedAt}`).slice(0, 24);

/** Where an answer carries the row that it shows, so that its version can be told. JSON leaves it out. */
export const VERSIONED = Symbol('versioned');

/**
 * Compares a row with the version that the request expects, if it is about this row. Every function that loads a
 * versioned resource for commands passes it through here, with the id it was asked for. The row counts as it is under
 * its lock before the command changes it; `rejectOtherVersion` has the consequence.
 */
export function compareVersion<Row extends Versioned>(
  { expected }: Context,
  row: Row,
  { asked = row.id, lock }: { asked?: string; lock?: string | undefined },
): Row {
  if (!expected || expected.isMet !== undefined || (expected.id !== asked && expected.id !== row.id)) return row;
  expected.id = row.id;
  if (lock !== undefined) expected.isMet = expected.versions.includes(versionOf(row));
  return row;
}

/**
 * Refuses what was done to a resource in another version than the request expects, and what had nothing to compare. Comes
 * last in a command, since a request that is refused otherwise is refused for that (docs/decisions.md, Permissions; RFC 9110, 13.2.1).
 */
export function rejectOtherVersion({ expected }: Context): void {
  if (!expected || expected.isMet) return;
  const what = expected.isMet === undefined ? 'There is nothing in this version here' : 'It was changed meanwhile';
  throw new ApiError('PRECONDITION_FAILED', `${what}; read it again and send this with its present version.`);
}
