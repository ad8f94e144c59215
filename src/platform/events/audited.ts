import { type EventKind, eventKind } from './kinds.ts';

const CONTENT = 'the history of the space has it, with its author';
const REVIEW = 'the change request shows it, with its author';
const DISCUSSION = 'the discussion shows it, with its author';
const RUN = 'it is a step of a run, whose request is an event of its own';
const SERVICE = 'the service itself does it';

/**
 * Kinds of events that are not audited, and why. All others are, so that a new kind is audited unless it is listed
 * here.
 */
export const UNAUDITED: Readonly<Partial<Record<EventKind, string>>> = {
  space_content_updated: CONTENT,
  translation_edits_imported: CONTENT,
  translation_review_resolved: CONTENT,
  translation_review_dismissed: CONTENT,
  change_request_created: REVIEW,
  change_request_updated: REVIEW,
  change_request_content_updated: REVIEW,
  change_request_review_requested: REVIEW,
  change_request_review_request_removed: REVIEW,
  change_request_reviewed: REVIEW,
  change_request_merged: REVIEW,
  comment_posted: DISCUSSION,
  comment_updated: DISCUSSION,
  comment_resolved: DISCUSSION,
  comment_reopened: DISCUSSION,
  comment_reply_posted: DISCUSSION,
  comment_reply_updated: DISCUSSION,
  import_run_started: CONTENT,
  import_run_completed: RUN,
  import_run_failed: RUN,
  import_run_cancelled: RUN,
  space_gitsync_started: RUN,
  space_gitsync_completed: RUN,
  space_gitsync_failed: RUN,
  space_gitsync_cancelled: RUN,
  git_connection_synced: RUN,
  git_connection_checked: RUN,
  git_connection_state_changed: SERVICE,
  git_connection_rewritten: SERVICE,
  translation_run_started: CONTENT,
  translation_run_completed: RUN,
  translation_run_failed: RUN,
  translation_run_cancelled: RUN,
  openapi_spec_failed: SERVICE,
  openapi_version_created: SERVICE,
  conversations_ingested: 'each conversation is in its list, with its source',
  issues_cluster_closed: SERVICE,
  issues_cluster_reopened: SERVICE,
};

/** Kinds of audited events, which are kept with the client that caused them and for a limited time. */
export const auditedKinds: readonly EventKind[] = eventKind.options.filter((kind) => UNAUDITED[kind] === undefined);

const audited: ReadonlySet<EventKind> = new Set(auditedKinds);

export const isAudited = (kind: EventKind): boolean => audited.has(kind);
