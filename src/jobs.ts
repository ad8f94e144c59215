import { endLostImportRuns } from './domain/import-runs/end-lost-import-runs.ts';
import { runImport } from './domain/import-runs/run-import.ts';
import { collectContent } from './domain/retention/collect-content.ts';
import { removeUnusedBytes } from './domain/retention/remove-unused-bytes.ts';
import { tidySearchIndex } from './domain/search/tidy-search-index.ts';
import { removeDeletedSpaces } from './domain/spaces/remove-deleted-spaces.ts';
import { removeExpiredUploads } from './domain/uploads/remove-expired-uploads.ts';
import { deliverWebhook } from './domain/webhooks/deliver-webhook.ts';
import { removeOldDeliveries } from './domain/webhooks/remove-old-deliveries.ts';
import { webhookReader } from './domain/webhooks/webhook-reader.ts';
import type { EventReader } from './platform/events/event-reader.ts';
import { removeEndedKeysJob } from './platform/idempotency/remove-ended-keys.ts';
import type { Job } from './platform/jobs/job.ts';

/** Every kind of background work. */
export const jobs = [
  removeDeletedSpaces,
  removeExpiredUploads,
  tidySearchIndex,
  removeEndedKeysJob,
  collectContent,
  removeUnusedBytes,
  removeOldDeliveries,
  deliverWebhook,
  runImport,
  endLostImportRuns,
] as unknown as Job[]; // of all data

/** What takes the events of all organizations, one after the other. */
export const eventReaders: EventReader[] = [webhookReader];
