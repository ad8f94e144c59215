import { z } from 'zod';
import type { Context } from '../../../platform/context/context.ts';
import { type Issue, type IssueInRest, notFound } from '../../../platform/errors/errors.ts';
import { type Route, resourceResponse, route } from '../../../platform/http/route.ts';
import { loadSite } from '../sites/index.ts';
import { loadSiteSpace } from '../structure/index.ts';
import { getPublishedSite } from './get-published-site.ts';
import { getSiteCustomization } from './get-site-customization.ts';
import { getSiteSpaceCustomization } from './get-site-space-customization.ts';
import { listSiteIntegrationScripts } from './list-site-integration-scripts.ts';
import { overrideSiteSpaceCustomization } from './override-site-space-customization.ts';
import { customizationOf, customizationOfSiteSpace } from './read.ts';
import { resetSiteSpaceCustomization } from './reset-site-space-customization.ts';
import { customizationShape, publishedSite } from './resources.ts';
import { scriptsShape } from './scripts.ts';
import { updateSiteCustomization } from './update-site-customization.ts';

const SITE = '/v1/orgs/:organizationId/sites/:siteId';
const SITE_SPACE = `${SITE}/site-spaces/:siteSpaceId/customization`;

async function ofSite({ siteId }: { siteId: string }, ctx: Context) {
  const row = await loadSite(ctx, siteId);
  if (!row) throw notFound('site', siteId);
  return customizationOf(ctx, row);
}

async function ofSiteSpace({ siteSpaceId }: { siteSpaceId: string }, ctx: Context) {
  const row = await loadSiteSpace(ctx, siteSpaceId);
  const site = row && (await loadSite(ctx, row.siteId));
  if (!site) throw notFound('site space', siteSpaceId);
  return customizationOfSiteSpace(ctx, site, siteSpaceId);
}

/** The body is the customization itself. */
const wholeBody = {
  body: z.looseObject({}),
  issueInRest: ({ path: [first, ...rest], message }: Issue): IssueInRest | undefined =>
    first === 'customization' ? { path: rest, message } : undefined,
};

export const customizationRoutes: Route[] = [
  route('GET', `${SITE}/published`, getPublishedSite, {
    operationId: 'getPublishedContentSite',
    response: resourceResponse(publishedSite),
  }),
  route('GET', `${SITE}/customization`, getSiteCustomization, {
    operationId: 'getSiteCustomizationById',
    shape: customizationShape,
    present: (customization) => customization,
  }),
  route('PUT', `${SITE}/customization`, updateSiteCustomization, {
    operationId: 'updateSiteCustomizationById',
    shape: customizationShape,
    ...wholeBody,
    toInput: (_given, { params, body }) => ({
      siteId: params.siteId ?? '',
      organizationId: params.organizationId,
      customization: body as Record<string, unknown>, // untrusted; the operation checks it
    }),
    present: ofSite,
  }),
  route('GET', SITE_SPACE, getSiteSpaceCustomization, {
    operationId: 'getSiteSpaceCustomizationById',
    shape: customizationShape,
    present: (customization) => customization,
  }),
  route('PATCH', SITE_SPACE, overrideSiteSpaceCustomization, {
    operationId: 'overrideSiteSpaceCustomizationById',
    shape: customizationShape,
    ...wholeBody,
    toInput: (_given, { params, body }) => ({
      siteSpaceId: params.siteSpaceId ?? '',
      siteId: params.siteId,
      organizationId: params.organizationId,
      customization: body as Record<string, unknown>, // untrusted; the operation checks it
    }),
    present: ofSiteSpace,
  }),
  route('GET', `${SITE}/integration-scripts`, listSiteIntegrationScripts, {
    operationId: 'listSiteIntegrationScripts',
    shape: scriptsShape,
    present: (scripts) => scripts,
  }),
  route('DELETE', SITE_SPACE, resetSiteSpaceCustomization, { operationId: 'deleteSiteSpaceCustomizationById' }),
];
