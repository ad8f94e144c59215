import { listRoute, type Route } from '../../../platform/http/route.ts';
import { listFileBacklinks, listPageBacklinks } from './list-backlinks.ts';
import { listChangeRequestLinks, listPageLinks, listSpaceLinks } from './list-links.ts';
import { presentBacklink, presentLink, presentStats } from './present.ts';
import { linkShape, locationShape, statsShape } from './shapes.ts';

const SPACE = '/v1/spaces/:spaceId';
const CHANGE_REQUEST = `${SPACE}/change-requests/:changeRequestId`;

const links = { shape: linkShape, present: presentLink, stats: { shape: statsShape, present: presentStats } };
const backlinks = { shape: locationShape, present: presentBacklink };

const pageLinks = (base: string, operationId: string) =>
  listRoute(`${base}/content/page/:pageId/links`, listPageLinks, { operationId, ...links });

const pageBacklinks = (base: string, operationId: string) =>
  listRoute(`${base}/content/page/:pageId/backlinks`, listPageBacklinks, { operationId, ...backlinks });

const fileBacklinks = (base: string, operationId: string) =>
  listRoute(`${base}/content/files/:fileId/backlinks`, listFileBacklinks, { operationId, ...backlinks });

export const linkRoutes: Route[] = [
  listRoute(`${SPACE}/links`, listSpaceLinks, { operationId: 'listSpaceLinks', ...links }),
  listRoute(`${CHANGE_REQUEST}/links`, listChangeRequestLinks, { operationId: 'listChangeRequestLinks', ...links }),
  pageLinks(SPACE, 'listPageLinksInSpace'),
  pageLinks(CHANGE_REQUEST, 'listPageLinksInChangeRequest'),
  pageBacklinks(SPACE, 'listSpacePageBacklinks'),
  pageBacklinks(CHANGE_REQUEST, 'listChangeRequestPageBacklinks'),
  fileBacklinks(SPACE, 'listSpaceFileBacklinks'),
  fileBacklinks(CHANGE_REQUEST, 'listChangeRequestFileBacklinks'),
];
