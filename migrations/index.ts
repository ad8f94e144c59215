import { Events } from './2026-11-20-events.ts';
import { GroundFloor } from './2026-11-20-ground-floor.ts';
import { Idempotency } from './2026-11-20-idempotency.ts';
import { RateLimit } from './2026-11-20-rate-limit.ts';
import { Webhooks } from './2026-11-20-webhooks.ts';
import { Comments } from './2026-11-21-comments.ts';
import { ImportRuns } from './2026-11-21-import-runs.ts';
import { Links } from './2026-11-21-links.ts';
import { OldPaths } from './2026-11-21-old-paths.ts';
import { Retention } from './2026-11-21-retention.ts';
import { ReusableContents } from './2026-11-21-reusable-contents.ts';
import { Reviews } from './2026-11-21-reviews.ts';
import { Search } from './2026-11-21-search.ts';
import { UploadQuota } from './2026-11-21-upload-quota.ts';
import { AccessVersion } from './2026-11-22-access-version.ts';
import { Conversations } from './2026-11-22-conversations.ts';
import { DerivedVersion } from './2026-11-22-derived-version.ts';
import { EventConsumer } from './2026-11-22-event-consumer.ts';
import { LinkCounts } from './2026-11-22-link-counts.ts';
import { SourceText } from './2026-11-22-source-text.ts';
import { UploadPending } from './2026-11-22-upload-pending.ts';
import { Versions } from './2026-11-22-versions.ts';

/** Every migration, oldest first. They go forward only; a landed one is never edited. */
export const migrations = [
  { name: '2026-11-20-ground-floor', class: GroundFloor },
  { name: '2026-11-20-idempotency', class: Idempotency },
  { name: '2026-11-20-events', class: Events },
  { name: '2026-11-20-webhooks', class: Webhooks },
  { name: '2026-11-20-rate-limit', class: RateLimit },
  { name: '2026-11-21-upload-quota', class: UploadQuota },
  { name: '2026-11-21-reviews', class: Reviews },
  { name: '2026-11-21-old-paths', class: OldPaths },
  { name: '2026-11-21-reusable-contents', class: ReusableContents },
  { name: '2026-11-21-comments', class: Comments },
  { name: '2026-11-21-links', class: Links },
  { name: '2026-11-21-import-runs', class: ImportRuns },
  { name: '2026-11-21-search', class: Search },
  { name: '2026-11-21-retention', class: Retention },
  { name: '2026-11-22-upload-pending', class: UploadPending },
  { name: '2026-11-22-versions', class: Versions },
  { name: '2026-11-22-event-consumer', class: EventConsumer },
  { name: '2026-11-22-access-version', class: AccessVersion },
  { name: '2026-11-22-link-counts', class: LinkCounts },
  { name: '2026-11-22-source-text', class: SourceText },
  { name: '2026-11-22-derived-version', class: DerivedVersion },
  { name: '2026-11-22-conversations', class: Conversations },
];
