import { removeDeletedSpaces } from './domain/spaces/remove-deleted-spaces.ts';
import { removeExpiredUploads } from './domain/uploads/remove-expired-uploads.ts';
import { removeEndedKeysJob } from './platform/idempotency/remove-ended-keys.ts';
import type { Job } from './platform/jobs/job.ts';

/** Every kind of background work. */
export const jobs = [removeDeletedSpaces, removeExpiredUploads, removeEndedKeysJob] as unknown as Job[]; // of all data
