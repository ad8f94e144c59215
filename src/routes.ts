import { changeRequestRoutes } from './domain/content/change-requests/rest.ts';
import { computedRoutes } from './domain/content/computed/rest.ts';
import { documentRoutes } from './domain/content/documents/rest.ts';
import { contentRoutes } from './domain/content/editing/rest.ts';
import { embedRoutes } from './domain/content/embeds/rest.ts';
import { fileRoutes } from './domain/content/files/rest.ts';
import { importRunRoutes } from './domain/content/import-runs/rest.ts';
import { importRoutes } from './domain/content/imports/rest.ts';
import { linkRoutes } from './domain/content/links/rest.ts';
import { pageRoutes } from './domain/content/pages/rest.ts';
import { pdfRoutes } from './domain/content/pdf/rest.ts';
import { reusableContentRoutes } from './domain/content/reusable-contents/rest.ts';
import { searchRoutes } from './domain/content/search/rest.ts';
import { templateRoutes } from './domain/content/templates/rest.ts';
import { uploadRoutes } from './domain/content/uploads/rest.ts';
import { revisionRoutes } from './domain/content/whole-revisions/rest.ts';
import { eventRoutes } from './domain/insight/events/rest.ts';
import { webhookRoutes } from './domain/insight/webhooks/rest.ts';
import { organizationRoutes } from './domain/people/organizations/rest.ts';
import { userRoutes } from './domain/people/users/rest.ts';
import { collectionRoutes } from './domain/places/collections/rest.ts';
import { spaceRoutes } from './domain/places/spaces/rest.ts';
import { changeRoutes } from './domain/review/changes/rest.ts';
import { commentRoutes } from './domain/review/comments/rest.ts';
import { changeRequestMergeRoutes } from './domain/review/merges/rest.ts';
import { reviewRoutes } from './domain/review/reviews/rest.ts';
import { serviceRoutes } from './domain/service/information/rest.ts';
import { jobRoutes } from './domain/service/jobs/rest.ts';
import type { Room } from './platform/http/openapi/document.ts';
import type { Route } from './platform/http/route.ts';

/** All routes of the REST API, in the order of the OpenAPI description. */
export const rooms: Room[] = [
  { name: 'Service', description: 'What this service is.', routes: serviceRoutes },
  { name: 'Users', description: 'People, and the access tokens that they act by.', routes: userRoutes },
  {
    name: 'Organizations',
    description: 'The owners of everything else: what is in one is never seen by another.',
    routes: organizationRoutes,
  },
  {
    name: 'Collections',
    description: 'Shelves that spaces and further collections stand in, up to ten deep.',
    routes: collectionRoutes,
  },
  { name: 'Spaces', description: 'Trees of pages, each with its history and its settings.', routes: spaceRoutes },
  {
    name: 'Change requests',
    description: 'Proposals to change a space, with content of their own until they are merged.',
    routes: [...changeRequestRoutes, ...changeRequestMergeRoutes],
  },
  { name: 'Reviews', description: 'What people think of change requests, and who is asked.', routes: reviewRoutes },
  {
    name: 'Comments',
    description: 'Discussions of spaces and change requests, and of what is in them.',
    routes: commentRoutes,
  },
  { name: 'Revisions', description: 'States of the content of a space. They never change.', routes: revisionRoutes },
  { name: 'Changes', description: 'What differs between two states of the content.', routes: changeRoutes },
  { name: 'Pages', description: 'Reading the pages of a revision.', routes: pageRoutes },
  {
    name: 'Content',
    description: 'Editing pages, files and everything else that a space holds.',
    routes: contentRoutes,
  },
  { name: 'Documents', description: 'Bodies of rich text, by their own IDs.', routes: documentRoutes },
  { name: 'Computed content', description: 'Content whose source is elsewhere.', routes: computedRoutes },
  { name: 'Embeds', description: 'What to show in the place of addresses elsewhere.', routes: embedRoutes },
  { name: 'Files', description: 'Images and other files of a revision.', routes: fileRoutes },
  { name: 'Links', description: 'What content refers to, and from where it is referred to.', routes: linkRoutes },
  {
    name: 'Reusable contents',
    description: 'Bodies that pages show inside of theirs.',
    routes: reusableContentRoutes,
  },
  { name: 'PDF', description: 'Content as a book on paper.', routes: pdfRoutes },
  { name: 'Search', description: 'Finding pages by what they say.', routes: searchRoutes },
  { name: 'Uploads', description: 'Bytes of files on their way into the service.', routes: uploadRoutes },
  {
    name: 'Imports',
    description: 'Bringing in content that was written elsewhere.',
    routes: [...importRoutes, ...importRunRoutes],
  },
  { name: 'Templates', description: 'Pages to begin a space with.', routes: templateRoutes },
  { name: 'Events', description: 'What happened in an organization, in the order it happened.', routes: eventRoutes },
  { name: 'Webhooks', description: 'Addresses that are told what happens in an organization.', routes: webhookRoutes },
  { name: 'Jobs', description: 'Background work, for operators of this service.', routes: jobRoutes },
];

export const routes: Route[] = rooms.flatMap((room) => room.routes);
