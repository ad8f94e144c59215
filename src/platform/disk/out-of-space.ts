import { ApiError } from '../errors/errors.ts';

/** The disk of PostgreSQL is full (PostgreSQL, Appendix A, `disk_full`). */
const DISK_FULL = '53100';

/** No space, or none within the quota of the user (errno(3)). */
const FILE_ERRORS = new Set(['ENOSPC', 'EDQUOT']);

/** What services with the interface of S3 call a full disk or an exceeded quota of a bucket. */
const BUCKET_ERRORS = new Set([
  'XMinioStorageFull',
  'XMinioAdminBucketQuotaExceeded',
  'InsufficientStorage',
  'QuotaExceeded',
  'QuotaExceededException',
]);
const INSUFFICIENT_STORAGE_STATUS = 507;

const MESSAGE =
  'The service has no disk space left and cannot write at the moment. Reading works. An operator must free space or enlarge the disk; the service then resumes writing by itself.';

export const insufficientStorage = () => new ApiError('INSUFFICIENT_STORAGE', MESSAGE);

/** Whether an error, or the error that caused it, says that a disk or a bucket is full. */
export function isOutOfSpace(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? String(error.code) : '';
  if (code === DISK_FULL || FILE_ERRORS.has(code) || BUCKET_ERRORS.has(error.name) || hasStatus(error)) return true;
  return error.cause !== error && isOutOfSpace(error.cause);
}

/** The response of a bucket (`$metadata` of the errors of the AWS SDK). */
const hasStatus = (error: Error): boolean => {
  const { $metadata } = error as { $metadata?: { httpStatusCode?: number } }; // any error: absent in most
  return $metadata?.httpStatusCode === INSUFFICIENT_STORAGE_STATUS;
};
