import { z } from 'zod';
import type { Context } from '../../../platform/context.ts';
import { listRoute, type Route, route } from '../../../platform/http/route.ts';
import { locationUrl } from '../../../platform/urls.ts';
import { organizationFor } from '../access/index.ts';
import { createOrganization } from './create-organization.ts';
import { getOrganization } from './get-organization.ts';
import { listOrganizations } from './list-organizations.ts';
import { mergeRulesFromRest } from './merge-rules.ts';
import { organizationShape, presentOrganization } from './present.ts';
import { mergeRulesShape } from './rest-merge-rules.ts';
import { updateOrganization } from './update-organization.ts';

const presentChanged = async ({ organizationId }: { organizationId: string }, ctx: Context) =>
  presentOrganization(await organizationFor(ctx, organizationId, 'member'), ctx);

const { defaultContent } = updateOrganization.input.shape;

const updateBody = updateOrganization.input.extend({
  defaultContent: z
    .object({
      type: z.literal('site').describe('What it is.'),
      site: z.string().describe('A site of the organization.'),
    })
    .nullish()
    .describe(defaultContent.description ?? ''),
  mergeRules: mergeRulesShape.optional().describe('Conditions for merging in spaces that inherit them.'),
});

export const organizationRoutes: Route[] = [
  listRoute('/v1/orgs', listOrganizations, {
    operationId: 'listOrganizationsForAuthenticatedUser',
    shape: organizationShape,
    present: presentOrganization,
  }),
  route('POST', '/v1/orgs', createOrganization, {
    operationId: 'createOrganization',
    status: 201,
    headers: ({ organizationId }, ctx) => ({ location: locationUrl(ctx, `/v1/orgs/${organizationId}`) }),
    shape: organizationShape,
    present: presentChanged,
  }),
  route('GET', '/v1/orgs/:organizationId', getOrganization, {
    operationId: 'getOrganizationById',
    shape: organizationShape,
    present: presentOrganization,
  }),
  route('PATCH', '/v1/orgs/:organizationId', updateOrganization, {
    operationId: 'updateOrganizationById',
    body: updateBody,
    renameInside: { site: 'siteId', users: 'userIds' },
    toInput: ({ defaultContent, mergeRules, ...given }) =>
      ({
        ...given,
        defaultContent: defaultContentFromRest(defaultContent),
        mergeRules: mergeRulesFromRest(mergeRules),
      }) as Parameters<typeof updateOrganization>[1], // untrusted; the operation checks it
    shape: organizationShape,
    present: presentChanged,
  }),
];

/** `{ type: 'site', site }` as the graph's input has it; any other type names no site. */
function defaultContentFromRest(given: unknown): unknown {
  if (typeof given !== 'object' || given === null) return given;
  const { type, site } = given as Record<string, unknown>; // any object
  return type === 'site' ? { siteId: site } : {};
}
