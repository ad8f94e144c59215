import { type Route, route } from '../../../platform/http/route.ts';
import { applySpaceTemplate } from './apply-space-template.ts';

export const templateRoutes: Route[] = [
  route('POST', '/v1/spaces/:spaceId/content/template', applySpaceTemplate, {
    operationId: 'applyTemplateToSpace',
    rename: { id: 'templateId' },
    status: 201,
  }),
];
