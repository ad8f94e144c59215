import { z } from 'zod';
import type { Issue, IssueInRest } from '../../../platform/errors/errors.ts';
import { listRoute, type Route, resourceResponse, route } from '../../../platform/http/route.ts';
import { createSiteRedirect } from './create-site-redirect.ts';
import { deleteSiteRedirect } from './delete-site-redirect.ts';
import { getSiteRedirect } from './get-site-redirect.ts';
import { getSiteRedirectBySource } from './get-site-redirect-by-source.ts';
import { importSiteRedirects } from './import-site-redirects.ts';
import { listSiteRedirects } from './list-site-redirects.ts';
import { destinationBody, matchedRedirect, siteRedirect, upsertResults } from './resources.ts';
import { updateSiteRedirect } from './update-site-redirect.ts';
import { upsertSiteRedirects } from './upsert-site-redirects.ts';

const SITE = '/v1/orgs/:organizationId/sites/:siteId';
const REDIRECTS = `${SITE}/redirects`;
const REDIRECT = `${REDIRECTS}/:siteRedirectId`;

/** Destinations are tagged unions in REST. */
function destinationFromRest(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('kind' in value)) return value;
  const { kind, ...members } = value as Record<string, unknown>; // checked above
  if (kind === 'external') return { url: members.url };
  if (kind === 'site-section') return { siteSectionId: members.siteSectionId };
  if (kind === 'site-space') return { siteSpaceId: members.siteSpaceId };
  if (kind === 'site-page') return { page: members };
  return kind === 'path' ? { path: members } : {};
}

const withDestination = (input: Record<string, unknown>) => ({
  ...input,
  ...(input.destination !== undefined && { destination: destinationFromRest(input.destination) }),
});

/** Issues of pages and paths are directly in the destination in REST. */
function issueInRest({ path, message }: Issue): IssueInRest | undefined {
  const at = path.indexOf('destination') + 1;
  const isInside = at > 0 && (path[at] === 'page' || path[at] === 'path') && path.length > at + 1;
  return isInside ? { path: path.toSpliced(at, 1), message } : undefined;
}

const { destination: _create, ...created } = createSiteRedirect.input.shape;
const { destination: _update, ...updated } = updateSiteRedirect.input.shape;
const { destination: _row, ...row } = upsertSiteRedirects.input.shape.redirects.element.shape;

export const redirectRoutes: Route[] = [
  route('GET', `${SITE}/redirect`, getSiteRedirectBySource, {
    operationId: 'getSiteRedirectBySource',
    response: resourceResponse(matchedRedirect),
  }),
  listRoute(REDIRECTS, listSiteRedirects, {
    operationId: 'listSiteRedirects',
    response: resourceResponse(siteRedirect),
  }),
  route('POST', REDIRECTS, createSiteRedirect, {
    operationId: 'createSiteRedirect',
    status: 201,
    body: z.object({ ...created, destination: destinationBody }),
    issueInRest,
    toInput: (input) => withDestination(input) as Parameters<typeof createSiteRedirect>[1], // untrusted; the operation checks it
    response: resourceResponse(siteRedirect),
  }),
  route('PUT', REDIRECTS, upsertSiteRedirects, {
    operationId: 'bulkUpsertSiteRedirects',
    issueInRest,
    body: z.object({
      redirects: z
        .array(
          z.object({
            ...row,
            destination: destinationBody.nullish().describe('Destination of the redirect. Null deletes the redirect.'),
          }),
        )
        .describe('Up to 500 redirects.'),
    }),
    toInput: ({ redirects, ...rest }) =>
      ({
        ...rest,
        redirects: Array.isArray(redirects)
          ? redirects.map((item) => (typeof item === 'object' && item !== null ? withDestination(item) : item))
          : redirects,
      }) as Parameters<typeof upsertSiteRedirects>[1], // untrusted; the operation checks it
    response: resourceResponse(upsertResults),
  }),
  route('POST', `${REDIRECTS}/import`, importSiteRedirects, {
    operationId: 'importSiteRedirects',
    status: 200,
    response: resourceResponse(upsertResults),
  }),
  route('GET', REDIRECT, getSiteRedirect, {
    operationId: 'getSiteRedirectById',
    response: resourceResponse(siteRedirect),
  }),
  route('PATCH', REDIRECT, updateSiteRedirect, {
    operationId: 'updateSiteRedirectById',
    body: z.object({ ...updated, destination: destinationBody.optional() }),
    issueInRest,
    toInput: (input) => withDestination(input) as Parameters<typeof updateSiteRedirect>[1], // untrusted; the operation checks it
    response: resourceResponse(siteRedirect),
  }),
  route('DELETE', REDIRECT, deleteSiteRedirect, { operationId: 'deleteSiteRedirectById' }),
];
