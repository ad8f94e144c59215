import type { MigrationList } from '../src/platform/database/migrations.ts';
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
import { Audiences } from './2026-11-22-audiences.ts';
import { ClusterLabels } from './2026-11-22-cluster-labels.ts';
import { ComputedContents } from './2026-11-22-computed-contents.ts';
import { ContentSource } from './2026-11-22-content-source.ts';
import { Conversations } from './2026-11-22-conversations.ts';
import { CustomHostnames } from './2026-11-22-custom-hostnames.ts';
import { DerivedVersion } from './2026-11-22-derived-version.ts';
import { EventConsumer } from './2026-11-22-event-consumer.ts';
import { GitConnections } from './2026-11-22-git-connections.ts';
import { GitRunAttempts } from './2026-11-22-git-run-attempts.ts';
import { GitSync } from './2026-11-22-git-sync.ts';
import { HostnameClaims } from './2026-11-22-hostname-claims.ts';
import { Invites } from './2026-11-22-invites.ts';
import { IssueVectors } from './2026-11-22-issue-vectors.ts';
import { LinkCounts } from './2026-11-22-link-counts.ts';
import { OpenApi } from './2026-11-22-openapi.ts';
import { OpenApiLint } from './2026-11-22-openapi-lint.ts';
import { People } from './2026-11-22-people.ts';
import { SiteCustomization } from './2026-11-22-site-customization.ts';
import { SiteInsights } from './2026-11-22-site-insights.ts';
import { SiteRedirects } from './2026-11-22-site-redirects.ts';
import { SiteStructure } from './2026-11-22-site-structure.ts';
import { SourceText } from './2026-11-22-source-text.ts';
import { Sso } from './2026-11-22-sso.ts';
import { TranslationImports } from './2026-11-22-translation-imports.ts';
import { Translations } from './2026-11-22-translations.ts';
import { UploadPending } from './2026-11-22-upload-pending.ts';
import { Versions } from './2026-11-22-versions.ts';
import { ComputedPageLinks } from './2026-11-23-computed-page-links.ts';
import { GitSshKeys } from './2026-11-23-git-ssh-keys.ts';
import { LinksWithoutTags } from './2026-11-23-links-without-tags.ts';
import { RevisionTags } from './2026-11-23-revision-tags.ts';
import { Accounts } from './2026-11-26-accounts.ts';
import { DocumentUses } from './2026-11-26-document-uses.ts';
import { EmailDomainProofs } from './2026-11-26-email-domain-proofs.ts';
import { MinimumVersion } from './2026-11-26-minimum-version.ts';
import { SecretKey } from './2026-11-26-secret-key.ts';
import { EarlyMigrations } from './2026-11-27-early-migrations.ts';
import { GitPagesAnew } from './2026-11-27-git-pages-anew.ts';
import { GitRequests } from './2026-11-27-git-requests.ts';
import { ListTitles } from './2026-11-27-list-titles.ts';
import { Audit } from './2026-11-28-audit.ts';
import { MemberAddresses } from './2026-11-28-member-addresses.ts';
import { OAuth } from './2026-11-28-oauth.ts';
import { OAuthReach } from './2026-11-28-oauth-reach.ts';
import { OAuthSpaces } from './2026-11-28-oauth-spaces.ts';
import { Oidc } from './2026-11-28-oidc.ts';
import { Passkeys } from './2026-11-28-passkeys.ts';
import { Scim } from './2026-11-28-scim.ts';
import { SessionList } from './2026-11-28-session-list.ts';
import { SignIn } from './2026-11-28-sign-in.ts';
import { SignInRequests } from './2026-11-28-sign-in-requests.ts';
import { TokenScopes } from './2026-11-28-token-scopes.ts';
import { EmbeddingLength } from './2026-11-30-embedding-length.ts';
import { GitConfiguration } from './2026-11-30-git-configuration.ts';
import { AcceptedMemberships } from './2026-12-01-accepted-memberships.ts';

/**
 * Every migration, oldest first. They go forward only; a released one is never edited. New ones name the version that brings
 * them, and their phase if it is `after`: see docs/adding-an-operation.md.
 */
export const migrations: MigrationList = [
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
  { name: '2026-11-22-site-structure', class: SiteStructure },
  { name: '2026-11-22-site-customization', class: SiteCustomization },
  { name: '2026-11-22-content-source', class: ContentSource },
  { name: '2026-11-22-openapi', class: OpenApi },
  { name: '2026-11-22-sso', class: Sso },
  { name: '2026-11-22-people', class: People },
  { name: '2026-11-22-invites', class: Invites },
  { name: '2026-11-22-conversations', class: Conversations },
  { name: '2026-11-22-site-redirects', class: SiteRedirects },
  { name: '2026-11-22-custom-hostnames', class: CustomHostnames },
  { name: '2026-11-22-site-insights', class: SiteInsights },
  { name: '2026-11-22-audiences', class: Audiences },
  { name: '2026-11-22-git-sync', class: GitSync },
  { name: '2026-11-22-translations', class: Translations },
  { name: '2026-11-22-hostname-claims', class: HostnameClaims },
  { name: '2026-11-22-openapi-lint', class: OpenApiLint },
  { name: '2026-11-22-translation-imports', class: TranslationImports },
  { name: '2026-11-22-git-connections', class: GitConnections },
  { name: '2026-11-22-issue-vectors', class: IssueVectors },
  { name: '2026-11-22-git-run-attempts', class: GitRunAttempts },
  { name: '2026-11-22-computed-contents', class: ComputedContents },
  { name: '2026-11-22-cluster-labels', class: ClusterLabels },
  { name: '2026-11-23-revision-tags', class: RevisionTags },
  { name: '2026-11-23-computed-page-links', class: ComputedPageLinks },
  { name: '2026-11-23-git-ssh-keys', class: GitSshKeys },
  { name: '2026-11-23-links-without-tags', class: LinksWithoutTags },
  { name: '2026-11-26-accounts', class: Accounts },
  { name: '2026-11-26-email-domain-proofs', class: EmailDomainProofs },
  { name: '2026-11-26-document-uses', class: DocumentUses },
  { name: '2026-11-26-minimum-version', class: MinimumVersion },
  { name: '2026-11-26-secret-key', class: SecretKey },
  { name: '2026-11-27-git-requests', class: GitRequests },
  { name: '2026-11-27-git-pages-anew', class: GitPagesAnew },
  { name: '2026-11-27-early-migrations', class: EarlyMigrations, since: '0.3.0' },
  { name: '2026-11-27-list-titles', class: ListTitles, since: '0.3.0' },
  { name: '2026-11-28-sign-in', class: SignIn, since: '0.3.0' },
  { name: '2026-11-28-token-scopes', class: TokenScopes, since: '0.3.0' },
  { name: '2026-11-28-audit', class: Audit, since: '0.3.0' },
  { name: '2026-11-28-sign-in-requests', class: SignInRequests, since: '0.3.0' },
  { name: '2026-11-28-passkeys', class: Passkeys, since: '0.3.0' },
  { name: '2026-11-28-oauth', class: OAuth, since: '0.3.0' },
  { name: '2026-11-28-oidc', class: Oidc, since: '0.3.0' },
  { name: '2026-11-28-scim', class: Scim, since: '0.3.0' },
  { name: '2026-11-28-member-addresses', class: MemberAddresses, since: '0.3.0' },
  { name: '2026-11-28-oauth-reach', class: OAuthReach, since: '0.3.0' },
  { name: '2026-11-28-session-list', class: SessionList, since: '0.3.0' },
  { name: '2026-11-28-oauth-spaces', class: OAuthSpaces, since: '0.3.0' },
  { name: '2026-11-30-embedding-length', class: EmbeddingLength, since: '0.3.0' },
  { name: '2026-11-30-git-configuration', class: GitConfiguration, since: '0.3.0' },
  { name: '2026-12-01-accepted-memberships', class: AcceptedMemberships, since: '0.3.0' },
];
