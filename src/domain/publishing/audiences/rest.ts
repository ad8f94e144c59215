import type { Context } from '../../../platform/context.ts';
import { notFound } from '../../../platform/errors.ts';
import { answering, listRoute, type Route, route } from '../../../platform/http/route.ts';
import { locationUrl } from '../../../platform/urls.ts';
import { loadSite } from '../sites/index.ts';
import { createShareLink } from './create-share-link.ts';
import { getShareLink } from './get-share-link.ts';
import { getSitePublishingAuth } from './get-site-publishing-auth.ts';
import { listShareLinks } from './list-share-links.ts';
import { regenerateSitePublishingKey } from './regenerate-site-publishing-key.ts';
import { shareLink, sitePublishingAuth } from './resources.ts';
import { revokeShareLink } from './revoke-share-link.ts';
import { siteAuthOf } from './site-key.ts';
import { updateShareLink } from './update-share-link.ts';
import { updateSitePublishingAuth } from './update-site-publishing-auth.ts';

const SITE = '/v1/orgs/:organizationId/sites/:siteId';
const LINKS = `${SITE}/share-links`;
const AUTH = `${SITE}/publishing/auth`;

const authChanged = {
  answers: answering(sitePublishingAuth, async ({ siteId }: { siteId: string }, ctx: Context) => {
    const site = await loadSite(ctx, siteId);
    if (!site) throw notFound('site', siteId);
    return siteAuthOf(ctx, site);
  }),
};

export const audienceRoutes: Route[] = [
  listRoute(LINKS, listShareLinks, { operationId: 'listSiteShareLinks', answers: answering(shareLink) }),
  route('POST', LINKS, createShareLink, {
    operationId: 'createSiteShareLink',
    status: 201,
    headers: ({ id }, ctx, { params }) => ({
      location: locationUrl(ctx, `/v1/orgs/${params.organizationId}/sites/${params.siteId}/share-links/${id}`),
    }),
    answers: answering(shareLink),
  }),
  route('GET', `${LINKS}/:shareLinkId`, getShareLink, {
    operationId: 'getSiteShareLinkById',
    answers: answering(shareLink),
  }),
  route('PATCH', `${LINKS}/:shareLinkId`, updateShareLink, {
    operationId: 'updateSiteShareLinkById',
    answers: answering(shareLink),
  }),
  route('DELETE', `${LINKS}/:shareLinkId`, revokeShareLink, { operationId: 'deleteSiteShareLinkById' }),
  route('GET', AUTH, getSitePublishingAuth, {
    operationId: 'getSitePublishingAuthById',
    answers: answering(sitePublishingAuth),
  }),
  route('PATCH', AUTH, updateSitePublishingAuth, {
    operationId: 'updateSitePublishingAuthById',
    rename: { fallbackURL: 'fallbackUrl', logoutURL: 'logoutUrl' },
    ...authChanged,
  }),
  route('POST', `${AUTH}/regenerate`, regenerateSitePublishingKey, {
    operationId: 'regenerateSitePublishingAuthById',
    ...authChanged,
  }),
];
