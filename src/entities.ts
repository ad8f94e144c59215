import { AgentInstructions } from './domain/content/agent-instructions/entity.ts';
import { ChangeRequest } from './domain/content/change-requests/entity.ts';
import { ContentMark } from './domain/content/garbage-collection/entity.ts';
import { ImportRun } from './domain/content/import-runs/entity.ts';
import { Upload } from './domain/content/uploads/entity.ts';
import {
  Conversation,
  ConversationIssue,
  EmbeddingUsage,
  IssuesCluster,
  IssuesClusterDescription,
  IssuesGrouping,
  LabelUsage,
} from './domain/insight/conversations/entity.ts';
import { Webhook, WebhookDelivery } from './domain/insight/webhooks/entity.ts';
import { AccessVersion, Grant } from './domain/people/access/entity.ts';
import { EmailInvite } from './domain/people/invites/entity.ts';
import { Membership } from './domain/people/members/entity.ts';
import { OAuthGrant, OAuthRecord } from './domain/people/oauth/entity.ts';
import { EmailDomainProof } from './domain/people/organizations/email-domain-entity.ts';
import { Organization } from './domain/people/organizations/entity.ts';
import { Passkey, PasskeyChallenge } from './domain/people/passkeys/entity.ts';
import { ScimGroup, ScimToken, ScimUser } from './domain/people/scim/entity.ts';
import { Session, SignInLink, SignInRequest } from './domain/people/sessions/entity.ts';
import { SigningKey } from './domain/people/signing-keys/entity.ts';
import {
  IdentityProvider,
  OidcIdentity,
  OidcLogoutToken,
  OidcRequest,
  SsoIdentity,
  SsoRequest,
} from './domain/people/sso/entity.ts';
import { Team, TeamMember } from './domain/people/teams/entity.ts';
import { ApiToken, EmailVerification, User } from './domain/people/users/entity.ts';
import { Collection } from './domain/places/collections/entity.ts';
import { LinkInvite } from './domain/places/link-invites/entity.ts';
import { Placement } from './domain/places/placement/entity.ts';
import { Space } from './domain/places/spaces/entity.ts';
import { ShareLink, SiteAdaptiveSchema, SiteAuth } from './domain/publishing/audiences/entity.ts';
import { SiteCustomization } from './domain/publishing/customization/entity.ts';
import { CustomHostname } from './domain/publishing/hostnames/entity.ts';
import { SiteInsight } from './domain/publishing/insights/entity.ts';
import { SiteItem, SiteSpace } from './domain/publishing/navigation/entity.ts';
import { SiteRedirect } from './domain/publishing/redirects/entity.ts';
import { Site } from './domain/publishing/sites/entity.ts';
import { Comment, CommentReaction, CommentReply } from './domain/review/comments/entity.ts';
import { RequestedReviewer, Review } from './domain/review/reviews/entity.ts';
import { GitConnection } from './domain/sources/git/connections/entity.ts';
import {
  OpenApiChange,
  OpenApiFile,
  OpenApiLintProblem,
  OpenApiOperation,
  OpenApiPart,
  OpenApiSchema,
  OpenApiSpec,
  OpenApiSpecVersion,
} from './domain/sources/openapi/entity.ts';
import {
  GlossaryEntry,
  Translation,
  TranslationEdit,
  TranslationMemory,
  TranslationPage,
  TranslationProvider,
  TranslationUsage,
} from './domain/sources/translations/entity.ts';
import { Document, DocumentReference, DocumentSection, SourceText } from './domain/store/bodies/entity.ts';
import { GitFile, GitRun, GitSync } from './domain/store/git-sync/entity.ts';
import { HeadLinkCount, HeadOutsideLink } from './domain/store/link-counts/entity.ts';
import { Blob, HeadFile } from './domain/store/manifests/file-entity.ts';
import { HeadReusableContent } from './domain/store/manifests/reusable-content-entity.ts';
import { ManifestNode, OldSlug, Revision } from './domain/store/revisions/entity.ts';
import { SearchEntry, SearchPage, SearchSource, SearchWord } from './domain/store/search-index/entity.ts';
import { HeadPage, PageNode } from './domain/store/trees/entity.ts';
import { Compatibility, EarlyMigration } from './platform/compatibility/entity.ts';
import { ConsumerPosition, EventRecord } from './platform/events/entity.ts';
import { IdempotencyKey } from './platform/idempotency/entity.ts';
import { RateLease } from './platform/rate-limit/entity.ts';
import { SecretKey } from './platform/secret-key/entity.ts';

/** Every table of the service. What they hold and why: docs/data-model.md. */
export const entities = [
  User,
  ApiToken,
  EmailVerification,
  Session,
  SignInLink,
  SignInRequest,
  Passkey,
  PasskeyChallenge,
  OAuthGrant,
  OAuthRecord,
  Organization,
  Membership,
  Team,
  TeamMember,
  IdentityProvider,
  SsoRequest,
  OidcLogoutToken,
  OidcRequest,
  OidcIdentity,
  SsoIdentity,
  ScimToken,
  ScimUser,
  ScimGroup,
  SigningKey,
  EmailInvite,
  LinkInvite,
  Collection,
  Space,
  Placement,
  Grant,
  AccessVersion,
  Site,
  SiteSpace,
  SiteItem,
  SiteCustomization,
  SiteRedirect,
  CustomHostname,
  EmailDomainProof,
  SiteInsight,
  ShareLink,
  SiteAuth,
  SiteAdaptiveSchema,
  Revision,
  ManifestNode,
  PageNode,
  HeadPage,
  OldSlug,
  Document,
  DocumentSection,
  DocumentReference,
  SourceText,
  Blob,
  HeadFile,
  HeadReusableContent,
  HeadLinkCount,
  HeadOutsideLink,
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
  AgentInstructions,
  Upload,
  ImportRun,
  GitSync,
  GitFile,
  GitRun,
  GitConnection,
  OpenApiSpec,
  OpenApiSpecVersion,
  OpenApiFile,
  OpenApiOperation,
  OpenApiSchema,
  OpenApiPart,
  OpenApiChange,
  OpenApiLintProblem,
  GlossaryEntry,
  Translation,
  TranslationEdit,
  TranslationMemory,
  TranslationPage,
  TranslationProvider,
  TranslationUsage,
  Conversation,
  ConversationIssue,
  IssuesCluster,
  IssuesClusterDescription,
  IssuesGrouping,
  EmbeddingUsage,
  LabelUsage,
  Webhook,
  WebhookDelivery,
  EventRecord,
  ConsumerPosition,
  Compatibility,
  EarlyMigration,
  IdempotencyKey,
  RateLease,
  SecretKey,
  ContentMark,
];

/** The names of all tables. */
export const tableNames = entities.map(({ meta }) => meta.tableName);
