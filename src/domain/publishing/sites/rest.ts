import { z } from 'zod';
import type { Context } from '../../../platform/context/context.ts';
import { type Issue, type IssueInRest, notFound } from '../../../platform/errors/errors.ts';
import { restOrder } from '../../../platform/http/rest-order.ts';
import { listRoute, type Route, resourceResponse, route } from '../../../platform/http/route.ts';
import { locationUrl } from '../../../platform/resource/urls.ts';
import { loadSite } from './access.ts';
import { createSite } from './create-site.ts';
import { deleteSite } from './delete-site.ts';
import { siteOrderField } from './enums.ts';
import { getSite } from './get-site.ts';
import { listSites } from './list-sites.ts';
import { publishSite } from './publish-site.ts';
import { site } from './resources.ts';
import { unpublishSite } from './unpublish-site.ts';
import { updateSite } from './update-site.ts';

const SITES = '/v1/orgs/:organizationId/sites';
const SITE = `${SITES}/:siteId`;

interface Changed {
  siteId: string;
}

const loadChanged = async ({ siteId }: Changed, ctx: Context) => {
  const row = await loadSite(ctx, siteId);
  if (!row) throw notFound('site', siteId);
  return row;
};

const changed = { response: resourceResponse(site, loadChanged) };

const renamed = { defaultSiteSpace: 'defaultSiteSpaceId', defaultSiteSection: 'defaultSiteSectionId' } as const;

/** Icons have their images inside `icon` in REST. */
const iconBody = z
  .looseObject({
    emoji: z.string().optional().describe('Emoji, as a character or as a hexadecimal code point.'),
    icon: z
      .object({
        light: z.string().describe('URL of an image for light pages.'),
        dark: z.string().describe('URL of an image for dark pages.'),
      })
      .optional()
      .describe('Images for light and dark pages.'),
  })
  .nullish()
  .describe('Icon of the site: an emoji, images, or an empty object. Null removes it.');

const { defaultSiteSpaceId, defaultSiteSectionId, ...settings } = updateSite.input.shape;

const updateBody = z.object({
  ...settings,
  icon: iconBody,
  defaultSiteSpace: defaultSiteSpaceId,
  defaultSiteSection: defaultSiteSectionId,
});

/** Issues of images are at `icon.icon` in REST. */
function iconIssueInRest({ path: [name, member, ...rest], message }: Issue): IssueInRest | undefined {
  const isImage = name === 'icon' && (member === 'light' || member === 'dark');
  return isImage ? { path: ['icon', 'icon', member, ...rest], message } : undefined;
}

function iconFromRest(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('icon' in value)) return value;
  const { icon, ...rest } = value;
  return typeof icon === 'object' && icon !== null ? { ...rest, ...icon } : { ...rest, light: icon };
}

export const siteRoutes: Route[] = [
  listRoute(SITES, listSites, {
    operationId: 'listSites',
    ...restOrder(listSites, siteOrderField, 'newest first'),
    response: resourceResponse(site),
  }),
  route('POST', SITES, createSite, {
    operationId: 'createSite',
    status: 201,
    rename: { spaces: 'spaceIds' },
    headers: ({ siteId }, ctx, { params }) => ({
      location: locationUrl(ctx, `/v1/orgs/${params.organizationId}/sites/${siteId}`),
    }),
    ...changed,
  }),
  route('GET', SITE, getSite, { operationId: 'getSiteById', response: resourceResponse(site) }),
  route('PATCH', SITE, updateSite, {
    operationId: 'updateSiteById',
    rename: renamed,
    issueInRest: iconIssueInRest,
    body: updateBody,
    toInput: ({ icon, ...rest }) =>
      ({ ...rest, ...(icon !== undefined && { icon: iconFromRest(icon) }) }) as Parameters<typeof updateSite>[1], // untrusted; the operation checks it
    ...changed,
  }),
  route('DELETE', SITE, deleteSite, { operationId: 'deleteSiteById' }),
  route('POST', `${SITE}/publish`, publishSite, { operationId: 'publishSite', ...changed }),
  route('POST', `${SITE}/unpublish`, unpublishSite, { operationId: 'unpublishSite', ...changed }),
];
