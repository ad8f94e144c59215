import { collectContent } from './domain/content/garbage-collection/collect-content.ts';
import { removeUnusedBytes } from './domain/content/garbage-collection/remove-unused-bytes.ts';
import { endLostImportRuns } from './domain/content/import-runs/end-lost-import-runs.ts';
import { runImport } from './domain/content/import-runs/run-import.ts';
import { removeExpiredUploads } from './domain/content/uploads/remove-expired-uploads.ts';
import { closeClusters } from './domain/insight/conversations/close-clusters.ts';
import { describeClusters } from './domain/insight/conversations/describe-clusters.ts';
import { groupIssues } from './domain/insight/conversations/group-issues.ts';
import { sweepGroupings } from './domain/insight/conversations/sweep-groupings.ts';
import { removeOldAuditEvents } from './domain/insight/events/remove-old-audit-events.ts';
import { deliverWebhook } from './domain/insight/webhooks/deliver-webhook.ts';
import { removeOldDeliveries } from './domain/insight/webhooks/remove-old-deliveries.ts';
import { webhookConsumer } from './domain/insight/webhooks/webhook-consumer.ts';
import { removeExpiredInvites } from './domain/people/invites/remove-expired-invites.ts';
import { sendInvite } from './domain/people/invites/send-invite.ts';
import { sendMemberNotice } from './domain/people/invites/send-member-notice.ts';
import { removeExpiredOAuth } from './domain/people/oauth/remove-expired-oauth.ts';
import { checkEmailDomains } from './domain/people/organizations/check-email-domains.ts';
import { removeExpiredChallenges } from './domain/people/passkeys/remove-expired-challenges.ts';
import { removeExpiredSessions } from './domain/people/sessions/remove-expired-sessions.ts';
import { sendSignInEmail } from './domain/people/sessions/send-sign-in-email.ts';
import { removeFormerKeys } from './domain/people/signing-keys/remove-former-keys.ts';
import { sendProof } from './domain/people/sso/mail-proof.ts';
import { removeExpiredSamlRequests } from './domain/people/sso/remove-expired-saml-requests.ts';
import { removeExpiredVerifications } from './domain/people/users/remove-expired-verifications.ts';
import { sendEmailNotice } from './domain/people/users/send-email-notice.ts';
import { sendEmailVerification } from './domain/people/users/send-email-verification.ts';
import { removeOrphanedLinks } from './domain/places/link-invites/remove-orphaned-links.ts';
import { removeDeletedSpaces } from './domain/places/spaces/remove-deleted-spaces.ts';
import { checkCustomHostnames } from './domain/publishing/hostnames/check-custom-hostnames.ts';
import { removeOldInsights } from './domain/publishing/insights/remove-old-insights.ts';
import { makeMissingSiteKeys } from './domain/publishing/sites/make-missing-site-keys.ts';
import { followSpaces } from './domain/sources/git/connections/follow-spaces.ts';
import { pollGitConnections } from './domain/sources/git/connections/poll-connections.ts';
import { postGitStatus } from './domain/sources/git/connections/post-git-status.ts';
import { syncConnection } from './domain/sources/git/connections/sync-connection.ts';
import { endLostGitRuns } from './domain/sources/git/runs/end-lost-git-runs.ts';
import { runGit } from './domain/sources/git/runs/run-git.ts';
import { lintOpenApiVersion } from './domain/sources/openapi/lint/lint-openapi-version.ts';
import { endLostOpenApiWork } from './domain/sources/openapi/processing/end-lost-openapi-work.ts';
import { processOpenApiSpec } from './domain/sources/openapi/processing/process-openapi-spec.ts';
import { refetchOpenApiSpecs } from './domain/sources/openapi/processing/refetch-openapi-specs.ts';
import { removeOpenApiVersion } from './domain/sources/openapi/processing/remove-openapi-version.ts';
import { endLostTranslationRuns } from './domain/sources/translations/runs/end-lost-runs.ts';
import { followSources } from './domain/sources/translations/runs/follow-sources.ts';
import { runTranslationJob } from './domain/sources/translations/runs/run-translation-job.ts';
import { deriveAgain } from './domain/store/bodies/derive-again.ts';
import { tidySearchIndex } from './domain/store/search-index/tidy-search-index.ts';
import type { EventConsumer } from './platform/events/event-consumer.ts';
import { removeEndedKeysJob } from './platform/idempotency/remove-ended-keys.ts';
import type { Job } from './platform/jobs/job.ts';

/** All background jobs. */
export const jobs = [
  removeDeletedSpaces,
  removeExpiredUploads,
  removeExpiredSessions,
  removeExpiredChallenges,
  removeExpiredOAuth,
  removeExpiredSamlRequests,
  removeExpiredInvites,
  removeFormerKeys,
  sendInvite,
  sendMemberNotice,
  removeExpiredVerifications,
  sendEmailVerification,
  sendEmailNotice,
  sendProof,
  sendSignInEmail,
  tidySearchIndex,
  deriveAgain,
  removeOrphanedLinks,
  removeEndedKeysJob,
  collectContent,
  removeUnusedBytes,
  removeOldDeliveries,
  removeOldAuditEvents,
  deliverWebhook,
  groupIssues,
  describeClusters,
  sweepGroupings,
  runImport,
  endLostImportRuns,
  runGit,
  endLostGitRuns,
  syncConnection,
  pollGitConnections,
  postGitStatus,
  processOpenApiSpec,
  refetchOpenApiSpecs,
  removeOpenApiVersion,
  lintOpenApiVersion,
  endLostOpenApiWork,
  checkCustomHostnames,
  checkEmailDomains,
  removeOldInsights,
  makeMissingSiteKeys,
  runTranslationJob,
  endLostTranslationRuns,
] as unknown as Job[]; // of all data

/** The jobs that bring existing rows up to date after an update. */
export const backfills = [deriveAgain, removeOrphanedLinks];

/** All event consumers. */
export const eventConsumers: EventConsumer[] = [webhookConsumer, closeClusters, followSpaces, followSources];
