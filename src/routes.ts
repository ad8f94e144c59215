import { changeRequestMergeRoutes } from './domain/change-request-merges/rest.ts';
import { changeRequestRoutes } from './domain/change-requests/rest.ts';
import { changeRoutes } from './domain/changes/rest.ts';
import { collectionRoutes } from './domain/collections/rest.ts';
import { commentRoutes } from './domain/comments/rest.ts';
import { computedRoutes } from './domain/computed/rest.ts';
import { contentRoutes } from './domain/content/rest.ts';
import { documentRoutes } from './domain/documents/rest.ts';
import { embedRoutes } from './domain/embeds/rest.ts';
import { eventRoutes } from './domain/events/rest.ts';
import { fileRoutes } from './domain/files/rest.ts';
import { importRunRoutes } from './domain/import-runs/rest.ts';
import { importRoutes } from './domain/imports/rest.ts';
import { jobRoutes } from './domain/jobs/rest.ts';
import { linkRoutes } from './domain/links/rest.ts';
import { organizationRoutes } from './domain/organizations/rest.ts';
import { pageRoutes } from './domain/pages/rest.ts';
import { pdfRoutes } from './domain/pdf/rest.ts';
import { reusableContentRoutes } from './domain/reusable-contents/rest.ts';
import { reviewRoutes } from './domain/reviews/rest.ts';
import { revisionRoutes } from './domain/revisions/rest.ts';
import { searchRoutes } from './domain/search/rest.ts';
import { serviceRoutes } from './domain/service/rest.ts';
import { spaceRoutes } from './domain/spaces/rest.ts';
import { templateRoutes } from './domain/templates/rest.ts';
import { uploadRoutes } from './domain/uploads/rest.ts';
import { userRoutes } from './domain/users/rest.ts';
import { webhookRoutes } from './domain/webhooks/rest.ts';
import type { Room } from './platform/http/openapi/document.ts';
import type { Route } from './platform/http/route.ts';

/** Every address of REST, in the order that the description of the API shows them. */
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
  { name: 'Documents', description: 'Bodies of rich text, by their own ids.', routes: documentRoutes },
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
