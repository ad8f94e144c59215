import { ApiError } from '../errors/errors.ts';

/**
 * Whether PostgreSQL says that it stopped waiting for its synchronous standbys, because the statement was cancelled or
 * the server stops (PostgreSQL, "Synchronous Replication"). It then reports success, but a failover can lose the
 * change. Messages are in the language of the server, so that only the routine tells.
 */
export const isUnreplicated = ({ routine }: { routine?: string | undefined }): boolean =>
  routine === 'SyncRepWaitForLSN';

/**
 * The error of a change that is committed, but that a failover can lose. A repetition with the same key waits for it
 * again.
 */
export const unreplicated = () =>
  new ApiError(
    'SERVICE_UNAVAILABLE',
    'The change is not confirmed, because the database is not replicated at the moment. Send the request again with the same idempotency key.',
  );
