import type { z } from 'zod';
import { namedEnum } from '../named-enum.ts';

/** What can happen. Where the public API has a name for it, that name (decisions 6). */
export const eventKind = namedEnum('EventKind', 'What happened.', {
  organization_created: 'An organization was created.',
  organization_updated: 'Settings of an organization changed.',
  user_created: 'An operator created an account.',
  user_updated: 'A user changed their account.',
  api_token_created: 'A personal access token was made.',
  api_token_revoked: 'A personal access token was revoked.',
  collection_created: 'A collection was created.',
  space_created: 'A space was created, or copied from another one.',
  space_updated: 'Settings of a space changed.',
  space_deleted: 'A space was deleted; it can be restored for seven days.',
  space_removed: 'A deleted space was removed for good, seven days later.',
  space_restored: 'A deleted space was restored.',
  space_content_updated: 'The primary content of a space moved to another revision.',
  webhook_created: 'A webhook was made.',
  webhook_updated: 'Settings of a webhook changed.',
  webhook_paused: 'A webhook was paused: by an admin, or by the service after too many failed deliveries.',
  webhook_resumed: 'A paused webhook was let go on.',
  webhook_deleted: 'A webhook was deleted.',
  change_request_created: 'A change request was begun.',
  change_request_updated: 'The subject, description or status of a change request changed.',
  change_request_review_requested: 'Somebody was asked to review a change request.',
  change_request_review_request_removed: 'Somebody is asked no longer to review a change request.',
  change_request_reviewed: 'A review of a change request was submitted.',
  change_request_merged: 'A change request was merged into the primary content.',
  change_request_content_updated: 'The content of a change request moved to another revision.',
  comment_posted: 'A comment was posted on a space or a change request.',
  comment_updated: 'What a comment says, or who reacted to it, changed.',
  comment_resolved: 'A comment was settled.',
  comment_reopened: 'A settled comment was opened again.',
  comment_deleted: 'A comment was deleted, with its replies.',
  comment_reply_posted: 'A comment was answered.',
  comment_reply_updated: 'What a reply says, or who reacted to it, changed.',
  comment_reply_deleted: 'A reply to a comment was deleted.',
});

export type EventKind = z.infer<typeof eventKind>;
