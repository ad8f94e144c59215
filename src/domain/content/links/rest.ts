import { z } from 'zod';
import type { Context } from '../../../platform/context/context.ts';
import { listRoute, type Route, resourceResponse } from '../../../platform/http/route.ts';
import { present, shapeOf } from '../../../platform/resource/rest.ts';
import type { Backlink } from './backlinks-of.ts';
import type { LinkList } from './links-of.ts';
import { listFileBacklinks, listPageBacklinks } from './list-backlinks.ts';
import { listChangeRequestLinks, listPageLinks, listSpaceLinks } from './list-links.ts';
import { presentLocation } from './present-location.ts';
import { contentLink, linkStats } from './resources.ts';
import { locationShape } from './shapes.ts';

const SPACE = '/v1/spaces/:spaceId';
const CHANGE_REQUEST = `${SPACE}/change-requests/:changeRequestId`;

const stats = {
  shape: z.object({ stats: shapeOf(linkStats).describe('Counts of all links, not only of this page of the list.') }),
  present: async (list: LinkList, ctx: Context) => ({ stats: await present(linkStats, await list.stats(), ctx) }),
};

const links = { response: resourceResponse(contentLink), stats };
const backlinks = {
  shape: locationShape,
  present: (backlink: Backlink, ctx: Context) => presentLocation(backlink, ctx),
};

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
