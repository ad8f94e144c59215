import { z } from 'zod';
import type { Context } from '../../../platform/context/context.ts';
import { type Route, resourceResponse, route } from '../../../platform/http/route.ts';
import type { RestInput } from '../../../platform/http/route-input.ts';
import { present, shapeOf } from '../../../platform/resource/rest.ts';
import { changeRequest as changeRequestResource, getChangeRequest } from '../change-requests/index.ts';
import { contentBody } from './changes-body.ts';
import { changesFromRest, issueOfChanges } from './changes-from-rest.ts';
import { type ContentUpdate, contentUpdate } from './resources.ts';
import { updateChangeRequestContent } from './update-change-request-content.ts';
import { updateSpaceContent } from './update-space-content.ts';

const changeRequestUpdateShape = () =>
  z
    .union([
      shapeOf(changeRequestResource),
      shapeOf(contentUpdate)
        .omit({ revision: true })
        .extend({ changeRequest: shapeOf(changeRequestResource).describe('The change request.') }),
    ])
    .meta({
      description: 'The change request. With `compat=false` or `dryRun` also the effects of the changes.',
      isVersioned: true,
    });

export const contentRoutes: Route[] = [
  route('POST', '/v1/spaces/:spaceId/content', updateSpaceContent, {
    operationId: 'updateSpaceContent',
    body: contentBody,
    toInput: (properties) => changesFromRest(properties) as z.input<typeof updateSpaceContent.input>, // checked by the operation
    issueInRest: (issue, { body }) => issueOfChanges(issue, body),
    response: resourceResponse(contentUpdate),
  }),
  route('POST', '/v1/spaces/:spaceId/change-requests/:changeRequestId/content', updateChangeRequestContent, {
    operationId: 'updateChangeRequestContent',
    body: contentBody,
    query: z.object({
      compat: z.boolean().default(true).describe('Set to `false` to return the effects of the changes as well.'),
    }),
    shape: changeRequestUpdateShape,
    toInput: (properties) => changesFromRest(properties) as z.input<typeof updateChangeRequestContent.input>, // checked by the operation
    issueInRest: (issue, { body }) => issueOfChanges(issue, body),
    present: presentChangeRequestUpdate,
  }),
];

/** Only the change request, as current clients expect, or with the effects of the changes if `compat` is false. */
async function presentChangeRequestUpdate(
  { changeRequestId, ...update }: ContentUpdate & { changeRequestId: string },
  ctx: Context,
  { query }: RestInput,
) {
  const changeRequest = await present(changeRequestResource, await getChangeRequest(ctx, { changeRequestId }), ctx);
  if (query.compat !== 'false' && !update.preview) return changeRequest;
  const { revision: _, ...effects } = await present(contentUpdate, update, ctx);
  return { changeRequest, ...effects };
}
