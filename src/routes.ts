import { agentInstructionsRoutes } from './domain/content/agent-instructions/rest.ts';
import { changeRequestRoutes } from './domain/content/change-requests/rest.ts';
import { computedRoutes } from './domain/content/computed-content/rest.ts';
import { documentRoutes } from './domain/content/documents/rest.ts';
import { contentRoutes } from './domain/content/editing/rest.ts';
import { embedRoutes } from './domain/content/embeds/rest.ts';
import { fileRoutes } from './domain/content/files/rest.ts';
import { importRoutes, importRunRoutes } from './domain/content/import-runs/rest.ts';
import { linkRoutes } from './domain/content/links/rest.ts';
import { pageTextRoutes } from './domain/content/page-texts/rest.ts';
import { pageRoutes } from './domain/content/pages/rest.ts';
import { pdfRoutes } from './domain/content/pdf/rest.ts';
import { reusableContentRoutes } from './domain/content/reusable-contents/rest.ts';
import { searchRoutes } from './domain/content/search/rest.ts';
import { templateRoutes } from './domain/content/templates/rest.ts';
import { uploadRoutes } from './domain/content/uploads/rest.ts';
import { revisionRoutes } from './domain/content/whole-revisions/rest.ts';
import { conversationRoutes } from './domain/insight/conversations/rest.ts';
import { eventRoutes } from './domain/insight/events/rest.ts';
import { webhookRoutes } from './domain/insight/webhooks/rest.ts';
import { inviteRoutes } from './domain/people/invites/rest.ts';
import { memberRoutes } from './domain/people/members/rest.ts';
import { oauthGrantRoutes } from './domain/people/oauth/rest.ts';
import { organizationRoutes } from './domain/people/organizations/rest.ts';
import { passkeyRoutes } from './domain/people/passkeys/rest.ts';
import { scimTokenRoutes } from './domain/people/scim/rest.ts';
import { sessionRoutes } from './domain/people/sessions/rest.ts';
import { signingKeyRoutes } from './domain/people/signing-keys/rest.ts';
import { oidcRoutes } from './domain/people/sso/oidc/rest.ts';
import { ssoRoutes } from './domain/people/sso/rest.ts';
import { teamRoutes } from './domain/people/teams/rest.ts';
import { userRoutes } from './domain/people/users/rest.ts';
import { collectionRoutes } from './domain/places/collections/rest.ts';
import { grantRoutes } from './domain/places/grants/rest.ts';
import { linkInviteRoutes } from './domain/places/link-invites/rest.ts';
import { memberSpaceRoutes } from './domain/places/member-spaces/rest.ts';
import { spaceRoutes } from './domain/places/spaces/rest.ts';
import { transferRoutes } from './domain/places/transfers/rest.ts';
import { audienceRoutes } from './domain/publishing/audiences/rest.ts';
import { customizationRoutes } from './domain/publishing/customization/rest.ts';
import { hostnameRoutes } from './domain/publishing/hostnames/rest.ts';
import { insightRoutes } from './domain/publishing/insights/rest.ts';
import { previewRoutes } from './domain/publishing/previews/rest.ts';
import { redirectRoutes } from './domain/publishing/redirects/rest.ts';
import { resolvingRoutes } from './domain/publishing/resolving/rest.ts';
import { siteSearchRoutes } from './domain/publishing/site-search/rest.ts';
import { siteRoutes } from './domain/publishing/sites/rest.ts';
import { structureRoutes } from './domain/publishing/structure/rest.ts';
import { changeRoutes } from './domain/review/changes/rest.ts';
import { commentRoutes } from './domain/review/comments/rest.ts';
import { changeRequestMergeRoutes } from './domain/review/merges/rest.ts';
import { reviewRoutes } from './domain/review/reviews/rest.ts';
import { serviceRoutes } from './domain/service/information/rest.ts';
import { jobRoutes } from './domain/service/jobs/rest.ts';
import { gitConnectionRoutes } from './domain/sources/git/connections/rest.ts';
import { gitRoutes } from './domain/sources/git/rest.ts';
import { openApiRoutes } from './domain/sources/openapi/rest.ts';
import { translationRoutes } from './domain/sources/translations/rest.ts';
import type { Module } from './platform/http/openapi/document.ts';
import type { Route } from './platform/http/route.ts';

/** All routes of the REST API, in the order of the OpenAPI description. */
export const modules: Module[] = [
  { name: 'Service', description: 'Version of the service.', routes: serviceRoutes },
  {
    name: 'Users',
    description:
      'Users, their personal access tokens, sessions and passkeys, and the applications that they have connected.',
    routes: [...userRoutes, ...sessionRoutes, ...passkeyRoutes, ...oauthGrantRoutes],
  },
  {
    name: 'Organizations',
    description: 'Organizations and their settings. An organization owns spaces, collections and everything in them.',
    routes: [...organizationRoutes, ...agentInstructionsRoutes, ...signingKeyRoutes],
  },
  {
    name: 'SSO',
    description:
      'SAML and OIDC providers that members of an organization sign in with, members who use SSO, and tokens of identity providers that provision members and teams by SCIM.',
    routes: [...ssoRoutes, ...oidcRoutes, ...scimTokenRoutes],
  },
  {
    name: 'Members',
    description: 'Members of an organization, their roles and what they have access to.',
    routes: [...memberRoutes, ...memberSpaceRoutes],
  },
  {
    name: 'Invitations',
    description: 'Invitations to an organization by email and by link.',
    routes: [...inviteRoutes, ...linkInviteRoutes],
  },
  { name: 'Teams', description: 'Teams of members. Roles can be granted to teams.', routes: teamRoutes },
  {
    name: 'Collections',
    description: 'Folders of spaces and other collections, nested up to ten levels deep.',
    routes: collectionRoutes,
  },
  {
    name: 'Spaces',
    description: 'Containers of pages and files, with their settings and history.',
    routes: spaceRoutes,
  },
  {
    name: 'Permissions',
    description: 'Roles of users and teams on spaces, collections and sites.',
    routes: grantRoutes,
  },
  {
    name: 'Transfers',
    description: 'Spaces and collections that move to another organization.',
    routes: transferRoutes,
  },
  {
    name: 'Change requests',
    description: 'Proposed changes to the content of a space: creating, updating and merging them.',
    routes: [...changeRequestRoutes, ...changeRequestMergeRoutes],
  },
  { name: 'Reviews', description: 'Reviews of change requests, and requests for reviews.', routes: reviewRoutes },
  {
    name: 'Comments',
    description: 'Comments on spaces, change requests and their content, and replies to comments.',
    routes: commentRoutes,
  },
  { name: 'Revisions', description: 'Immutable states of the content of a space.', routes: revisionRoutes },
  { name: 'Changes', description: 'Differences between revisions.', routes: changeRoutes },
  { name: 'Pages', description: 'Pages of a revision and their bodies.', routes: [...pageRoutes, ...pageTextRoutes] },
  {
    name: 'Content',
    description: 'Editing the pages, files, reusable contents and variables of a space or a change request.',
    routes: contentRoutes,
  },
  { name: 'Documents', description: 'Bodies of pages and reusable contents, by document ID.', routes: documentRoutes },
  { name: 'Computed content', description: 'Content that is computed from another source.', routes: computedRoutes },
  { name: 'Embeds', description: 'Cards and frames to display for URLs.', routes: embedRoutes },
  { name: 'Files', description: 'Images and other files of a revision.', routes: fileRoutes },
  {
    name: 'Links',
    description: 'Links in content, with the status of their targets, and backlinks.',
    routes: linkRoutes,
  },
  {
    name: 'Reusable contents',
    description: 'Content that several pages can embed.',
    routes: reusableContentRoutes,
  },
  { name: 'PDF', description: 'PDFs of spaces, change requests and pages.', routes: pdfRoutes },
  { name: 'Search', description: 'Full-text search in a space or an organization.', routes: searchRoutes },
  {
    name: 'Uploads',
    description: 'Uploading files for use in other operations, such as imports.',
    routes: uploadRoutes,
  },
  {
    name: 'Imports',
    description: 'Imports of websites, documents, archives and exports.',
    routes: [...importRoutes, ...importRunRoutes],
  },
  { name: 'Templates', description: 'Sets of pages to start a space with.', routes: templateRoutes },
  {
    name: 'Git',
    description: 'Imports of Git branches into spaces, and exports to them.',
    routes: [...gitRoutes, ...gitConnectionRoutes],
  },
  {
    name: 'OpenAPI specifications',
    description: 'OpenAPI specifications of an organization, their versions, and the changes between them.',
    routes: openApiRoutes,
  },
  {
    name: 'Translations',
    description: 'Translations of spaces, and the glossary that they use.',
    routes: translationRoutes,
  },
  { name: 'Sites', description: 'Published sites and their settings.', routes: siteRoutes },
  {
    name: 'Site structure',
    description: 'Spaces, sections, groups of sections and external links of sites.',
    routes: structureRoutes,
  },
  {
    name: 'Site customization',
    description: 'Appearance of sites, and what renderers need to show them.',
    routes: customizationRoutes,
  },
  { name: 'Site redirects', description: 'Redirects from paths of sites.', routes: redirectRoutes },
  { name: 'Site search', description: 'Searching the spaces of a site.', routes: siteSearchRoutes },
  { name: 'Site insights', description: 'Counted events of visitors of published sites.', routes: insightRoutes },
  { name: 'URLs', description: 'Resolving URLs of published and unpublished content.', routes: resolvingRoutes },
  { name: 'Site previews', description: 'Previews of sites for members.', routes: previewRoutes },
  { name: 'Custom hostnames', description: 'Custom hostnames of sites and their DNS records.', routes: hostnameRoutes },
  {
    name: 'Site audiences',
    description: 'Share links of sites, authentication of their visitors, and claims that content depends on.',
    routes: audienceRoutes,
  },
  {
    name: 'Conversations',
    description: 'Conversations with visitors, their issues, and clusters of similar issues.',
    routes: conversationRoutes,
  },
  { name: 'Events', description: 'Events of an organization, in order.', routes: eventRoutes },
  {
    name: 'Webhooks',
    description: 'URLs that events of an organization are sent to, and deliveries.',
    routes: webhookRoutes,
  },
  { name: 'Jobs', description: 'Background jobs. Only for operators of the service.', routes: jobRoutes },
];

export const routes: Route[] = modules.flatMap((module) => module.routes);
