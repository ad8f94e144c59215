import { sha256 } from '../../lib/canonical.ts';
import type { Context } from '../context/context.ts';
import { ApiError } from '../errors/errors.ts';

/** A row of a versioned resource. A trigger increments `version` on every update. */
export interface Versioned {
  readonly id: string;
  readonly version: number;
  readonly updatedAt: string;
}

/**
 * The opaque version of a resource for clients. The counter distinguishes changes in the same millisecond, the time
 * distinguishes changes before and after a backup was restored.
 */
export const versionOf = ({ id, version, updatedAt }: Versioned): string =>
  sha256(`${id} ${version} ${updatedAt}`).slice(0, 24);

/** Key of the row in a response, from which its version is computed. Not part of the JSON. */
export const VERSIONED = Symbol('versioned');

/**
 * Records in the context whether a locked row has the version that the request expects, if the request is about this
 * row, and returns the row. Every function that loads a versioned resource for commands must call it.
 * `rejectOtherVersion` throws at the end of the command, since other errors take precedence (RFC 9110, 13.2.1).
 */
export function recordVersion<Row extends Versioned>(
  { expected }: Context,
  row: Row,
  { requestedId = row.id, lock }: { requestedId?: string; lock?: string | undefined },
): Row {
  if (!expected || expected.isMet !== undefined || (expected.id !== requestedId && expected.id !== row.id)) return row;
  expected.id = row.id;
  if (lock !== undefined) expected.isMet = expected.versions.includes(versionOf(row));
  return row;
}

/** PRECONDITION_FAILED if the recorded version does not match, or none was recorded. Called at the end of a command. */
export function rejectOtherVersion({ expected }: Context): void {
  if (!expected || expected.isMet) return;
  const what = expected.isMet === undefined ? 'The resource does not have a version' : 'The resource has changed';
  throw new ApiError('PRECONDITION_FAILED', `${what}. Read it again and send the current version.`);
}
