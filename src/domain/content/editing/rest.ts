import { z } from 'zod';
import type { Context } from '../../../platform/context.ts';
import { type RestInput, type Route, route } from '../../../platform/http/route.ts';
import { changeRequestShape, getChangeRequest, presentChangeRequest } from '../change-requests/index.ts';
import { type ContentUpdate, presentUpdate, updateMembers, updateShape } from './present.ts';
import { contentBody } from './rest-body.ts';
import { changesFromRest, issueOfChanges } from './rest-changes.ts';
import { updateChangeRequestContent } from './update-change-request-content.ts';
import { updateSpaceContent } from './update-space-content.ts';

const changeRequestUpdateShape = z
  .union([
    changeRequestShape,
    z.object({ changeRequest: changeRequestShape.describe('The change request.'), ...updateMembers }),
  ])
  .meta({ description: 'The change request, and with `compat=false` what each change did.', isVersioned: true });

export const contentRoutes: Route[] = [
  route('POST', '/v1/spaces/:spaceId/content', updateSpaceContent, {
    operationId: 'updateSpaceContent',
    body: contentBody,
    shape: updateShape,
    toInput: (given) => changesFromRest(given) as z.input<typeof updateSpaceContent.input>, // checked by the operation
    issueInRest: (issue, { body }) => issueOfChanges(issue, body),
    present: async (update: ContentUpdate, ctx) => ({
      revision: update.revisionId,
      ...(await presentUpdate(update, ctx)),
    }),
  }),
  route('POST', '/v1/spaces/:spaceId/change-requests/:changeRequestId/content', updateChangeRequestContent, {
    operationId: 'updateChangeRequestContent',
    body: contentBody,
    query: z.object({
      compat: z.boolean().default(true).describe('`false`: the answer says what each change did as well.'),
    }),
    shape: changeRequestUpdateShape,
    toInput: (given) => changesFromRest(given) as z.input<typeof updateChangeRequestContent.input>, // checked by the operation
    issueInRest: (issue, { body }) => issueOfChanges(issue, body),
    present: presentChangeRequestUpdate,
  }),
];

/** The change request alone, or with what was done when `compat` is false. */
async function presentChangeRequestUpdate(
  { changeRequestId, ...update }: ContentUpdate & { changeRequestId: string },
  ctx: Context,
  { query }: RestInput,
) {
  const changeRequest = await presentChangeRequest(await getChangeRequest(ctx, { changeRequestId }), ctx);
  if (query.compat !== 'false') return changeRequest;
  return { changeRequest, ...(await presentUpdate(update, ctx)) };
}
