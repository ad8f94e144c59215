import { type Route, resourceResponse, route } from '../../../platform/http/route.ts';
import { applySpaceTemplate } from './apply-space-template.ts';
import { triedTemplate } from './resources.ts';

const tried = resourceResponse(triedTemplate);

export const templateRoutes: Route[] = [
  route('POST', '/v1/spaces/:spaceId/content/template', applySpaceTemplate, {
    operationId: 'applyTemplateToSpace',
    rename: { id: 'templateId' },
    status: ({ preview }) => (preview ? 200 : 201),
    statuses: [201, 200],
    bodiless: [201],
    response: { ...tried, present: (output, ctx, raw) => (output.preview ? tried.present(output, ctx, raw) : null) },
  }),
];
