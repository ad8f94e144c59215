import { z } from 'zod';
import type { Context } from '../../../platform/context/context.ts';
import { notFound } from '../../../platform/errors/errors.ts';
import { listRoute, type Route, resourceResponse, route } from '../../../platform/http/route.ts';
import { present, shapeOf } from '../../../platform/resource/rest.ts';
import { locationUrl } from '../../../platform/resource/urls.ts';
import { createShareLink } from './create-share-link.ts';
import { getShareLink } from './get-share-link.ts';
import { getSiteAdaptiveSchema } from './get-site-adaptive-schema.ts';
import { getSitePublishingAuth } from './get-site-publishing-auth.ts';
import { listShareLinks } from './list-share-links.ts';
import { listSiteTemplateConditions } from './list-site-template-conditions.ts';
import { adaptiveSchemaOf } from './load.ts';
import { regenerateSitePublishingKey } from './regenerate-site-publishing-key.ts';
import { adaptiveSchema, shareLink, sitePublishingAuth, templateCondition } from './resources.ts';
import { revokeShareLink } from './revoke-share-link.ts';
import { siteAuthOf } from './site-key.ts';
import { updateShareLink } from './update-share-link.ts';
import { updateSiteAdaptiveSchema } from './update-site-adaptive-schema.ts';
import { updateSitePublishingAuth } from './update-site-publishing-auth.ts';

const SITE = '/v1/orgs/:organizationId/sites/:siteId';
const LINKS = `${SITE}/share-links`;
const AUTH = `${SITE}/publishing/auth`;
const SCHEMA = `${SITE}/adaptive-schema`;

const authChanged = {
  response: resourceResponse(sitePublishingAuth, ({ siteId }: { siteId: string }, ctx: Context) =>
    siteAuthOf(ctx, siteId),
  ),
};

const schemaChanged = {
  response: resourceResponse(adaptiveSchema, async ({ siteId }: { siteId: string }, ctx: Context) => {
    const schema = await adaptiveSchemaOf(ctx, siteId);
    if (!schema) throw notFound('adaptive schema of site', siteId);
    return schema;
  }),
};

const conditionsShape = () =>
  z.object({ items: z.array(shapeOf(templateCondition)).describe('The conditions.') }).meta({
    id: 'SiteTemplateConditions',
    description: 'Conditions for content, derived from the schema of claims.',
  });

export const audienceRoutes: Route[] = [
  listRoute(LINKS, listShareLinks, { operationId: 'listSiteShareLinks', response: resourceResponse(shareLink) }),
  route('POST', LINKS, createShareLink, {
    operationId: 'createSiteShareLink',
    status: 201,
    headers: ({ id }, ctx, { params }) => ({
      location: locationUrl(ctx, `/v1/orgs/${params.organizationId}/sites/${params.siteId}/share-links/${id}`),
    }),
    response: resourceResponse(shareLink),
  }),
  route('GET', `${LINKS}/:shareLinkId`, getShareLink, {
    operationId: 'getSiteShareLinkById',
    response: resourceResponse(shareLink),
  }),
  route('PATCH', `${LINKS}/:shareLinkId`, updateShareLink, {
    operationId: 'updateSiteShareLinkById',
    response: resourceResponse(shareLink),
  }),
  route('DELETE', `${LINKS}/:shareLinkId`, revokeShareLink, { operationId: 'deleteSiteShareLinkById' }),
  route('GET', AUTH, getSitePublishingAuth, {
    operationId: 'getSitePublishingAuthById',
    response: resourceResponse(sitePublishingAuth),
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
  route('GET', SCHEMA, getSiteAdaptiveSchema, {
    operationId: 'getSiteAdaptiveSchema',
    response: resourceResponse(adaptiveSchema),
  }),
  route('PUT', SCHEMA, updateSiteAdaptiveSchema, { operationId: 'updateSiteAdaptiveSchema', ...schemaChanged }),
  route('GET', `${SCHEMA}/template-conditions`, listSiteTemplateConditions, {
    operationId: 'listSiteAdaptiveTemplateConditions',
    shape: conditionsShape,
    present: async (conditions, ctx) => ({
      items: await Promise.all(conditions.map((condition) => present(templateCondition, condition, ctx))),
    }),
  }),
];
