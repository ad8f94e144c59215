import { z } from 'zod';
import { type Route, route } from '../../../platform/http/route.ts';
import { getSitePreview } from './get-site-preview.ts';

const { siteSpaceId, claims, draft, target } = getSitePreview.input.shape;

const previewShape = () =>
  z.object({ url: z.string().describe('URL of the preview, valid for at least an hour.') }).meta({
    id: 'SitePreview',
    description: 'URL of a preview of a site.',
  });

export const previewRoutes: Route[] = [
  route('GET', '/v1/orgs/:organizationId/sites/:siteId/publishing/preview', getSitePreview, {
    operationId: 'getSitePublishingPreviewById',
    query: z.object({
      siteSpace: siteSpaceId,
      claims: z.string().optional().describe(`${claims.description} As JSON.`),
      draft,
      target,
    }),
    toInput: ({ claims: json, ...others }) =>
      ({ ...others, claims: parsed(json) }) as Parameters<typeof getSitePreview>[1], // untrusted; the operation checks it
    rename: { siteSpace: 'siteSpaceId' },
    shape: previewShape,
    present: (preview) => preview,
  }),
];

/** JSON in a query parameter. What is no JSON stays as it is, which the operation refuses. */
function parsed(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}
