import { Grant } from './domain/access/entity.ts';
import { ChangeRequest } from './domain/change-requests/entity.ts';
import { Collection } from './domain/collections/entity.ts';
import { Comment, CommentReaction, CommentReply } from './domain/comments/entity.ts';
import { Document, DocumentReference, DocumentSection } from './domain/documents/entity.ts';
import { Blob, HeadFile } from './domain/files/entity.ts';
import { ImportRun } from './domain/import-runs/entity.ts';
import { Membership } from './domain/members/entity.ts';
import { Organization } from './domain/organizations/entity.ts';
import { HeadPage, PageNode } from './domain/pages/entity.ts';
import { Placement } from './domain/placement/entity.ts';
import { ContentMark } from './domain/retention/entity.ts';
import { HeadReusableContent } from './domain/reusable-contents/entity.ts';
import { RequestedReviewer, Review } from './domain/reviews/entity.ts';
import { ManifestNode, OldSlug, Revision } from './domain/revisions/entity.ts';
import { SearchEntry, SearchPage, SearchSource, SearchWord } from './domain/search/entity.ts';
import { Site, SiteSpace } from './domain/sites/entity.ts';
import { Space } from './domain/spaces/entity.ts';
import { Team, TeamMember } from './domain/teams/entity.ts';
import { Upload } from './domain/uploads/entity.ts';
import { ApiToken, User } from './domain/users/entity.ts';
import { Webhook, WebhookDelivery } from './domain/webhooks/entity.ts';
import { EventReader, EventRecord } from './platform/events/entity.ts';
import { IdempotencyKey } from './platform/idempotency/entity.ts';
import { RateLease } from './platform/rate-limit/entity.ts';

/** Every table of the service. What they hold and why: entities.md. */
export const entities = [
  User,
  ApiToken,
  Organization,
  Membership,
  Team,
  TeamMember,
  Collection,
  Space,
  Placement,
  Grant,
  Site,
  SiteSpace,
  Revision,
  ManifestNode,
  PageNode,
  HeadPage,
  OldSlug,
  Document,
  DocumentSection,
  DocumentReference,
  Blob,
  HeadFile,
  HeadReusableContent,
  SearchEntry,
  SearchPage,
  SearchSource,
  SearchWord,
  ChangeRequest,
  Review,
  RequestedReviewer,
  Comment,
  CommentReply,
  CommentReaction,
  Upload,
  ImportRun,
  Webhook,
  WebhookDelivery,
  EventRecord,
  EventReader,
  IdempotencyKey,
  RateLease,
  ContentMark,
];
