import { z } from 'zod';
import type { Context } from '../../../platform/context/context.ts';
import { listRoute, type Route, resourceResponse, route } from '../../../platform/http/route.ts';
import { present, shapeOf } from '../../../platform/resource/rest.ts';
import { locationUrl } from '../../../platform/resource/urls.ts';
import { organizationFor } from '../access/index.ts';
import { createOrganization } from './create-organization.ts';
import { getOrganization } from './get-organization.ts';
import { getSubdomain } from './get-subdomain.ts';
import { listOrganizations } from './list-organizations.ts';
import { mergeRulesFromRest } from './merge-rules.ts';
import { mergeRulesShape } from './merge-rules-shape.ts';
import { listOrganizationsByEmailDomain } from './organizations-by-email-domain.ts';
import { organization, subdomain } from './resources.ts';
import { updateOrganization } from './update-organization.ts';
import { verifyEmailDomain } from './verify-email-domain.ts';

const changed = resourceResponse(organization, ({ organizationId }: { organizationId: string }, ctx: Context) =>
  organizationFor(ctx, organizationId, 'member'),
);

const { defaultContent } = updateOrganization.input.shape;

const updateBody = updateOrganization.input.extend({
  defaultContent: z
    .object({
      type: z.literal('site').describe('Type of the content.'),
      site: z.string().describe('ID of a site of the organization.'),
    })
    .nullish()
    .describe(defaultContent.description ?? ''),
  mergeRules: mergeRulesShape
    .optional()
    .describe('Conditions for merging in spaces that inherit the rules of the organization.'),
});

const organizationsShape = () =>
  z
    .object({ organizations: z.array(shapeOf(organization)).describe('The organizations, ordered by title.') })
    .meta({ id: 'OrganizationsOfEmailDomain', description: 'Organizations with an email domain.' });

export const organizationRoutes: Route[] = [
  listRoute('/v1/orgs', listOrganizations, {
    operationId: 'listOrganizationsForAuthenticatedUser',
    response: resourceResponse(organization),
  }),
  route('POST', '/v1/orgs', createOrganization, {
    operationId: 'createOrganization',
    status: 201,
    headers: ({ organizationId }, ctx) => ({ location: locationUrl(ctx, `/v1/orgs/${organizationId}`) }),
    response: changed,
  }),
  route('GET', '/v1/orgs/:organizationId', getOrganization, {
    operationId: 'getOrganizationById',
    response: resourceResponse(organization),
  }),
  route('PATCH', '/v1/orgs/:organizationId', updateOrganization, {
    operationId: 'updateOrganizationById',
    body: updateBody,
    renameInside: { site: 'siteId', users: 'userIds' },
    toInput: ({ defaultContent, mergeRules, ...input }) =>
      ({
        ...input,
        defaultContent: defaultContentFromRest(defaultContent),
        mergeRules: mergeRulesFromRest(mergeRules),
      }) as Parameters<typeof updateOrganization>[1], // untrusted; the operation checks it
    response: changed,
  }),
  route('GET', '/v1/email-domains/:emailDomain/orgs', listOrganizationsByEmailDomain, {
    operationId: 'getOrganizationsForEmailDomain',
    rename: { emailDomain: 'domain' },
    shape: organizationsShape,
    present: async (rows, ctx) => ({
      organizations: await Promise.all(rows.map((row) => present(organization, row, ctx))),
    }),
  }),
  route('POST', '/v1/orgs/:organizationId/email-domains/:emailDomain/verify', verifyEmailDomain, {
    operationId: 'verifyEmailDomain',
    rename: { emailDomain: 'domain' },
    response: changed,
  }),
  route('GET', '/v1/subdomains/:subdomain', getSubdomain, {
    operationId: 'getSubdomain',
    response: resourceResponse(subdomain),
  }),
];

/**
 * Converts `{ type: 'site', site }` to the operation's input. Any other type gives no site, which the operation
 * rejects.
 */
function defaultContentFromRest(input: unknown): unknown {
  if (typeof input !== 'object' || input === null) return input;
  const { type, site } = input as Record<string, unknown>; // any object
  return type === 'site' ? { siteId: site } : {};
}
