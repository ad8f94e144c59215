import { listRoute, type Route, resourceResponse, route } from '../../../platform/http/route.ts';
import { shapeOf } from '../../../platform/resource/rest.ts';
import { auditLines, exportAuditEvents } from './export-audit-events.ts';
import { listAuditEvents } from './list-audit-events.ts';
import { listEvents } from './list-events.ts';
import { event } from './resources.ts';

const filters = { type: 'kind', actor: 'actorId', resource: 'resourceId' } as const;

export const eventRoutes: Route[] = [
  listRoute('/v1/orgs/:organizationId/events', listEvents, {
    operationId: 'listOrganizationEvents',
    rename: { ...filters, space: 'spaceId', since: 'sinceId' },
    response: resourceResponse(event),
  }),
  listRoute('/v1/orgs/:organizationId/audit-events', listAuditEvents, {
    operationId: 'listOrganizationAuditEvents',
    rename: filters,
    response: resourceResponse(event),
  }),
  route('POST', '/v1/orgs/:organizationId/audit-events/export', exportAuditEvents, {
    operationId: 'exportOrganizationAuditEvents',
    rename: filters,
    headers: () => ({ 'content-type': 'application/x-ndjson', 'cache-control': 'no-store' }),
    present: (output, ctx) => auditLines(ctx, output),
    shape: () => shapeOf(event),
    isLines: true,
  }),
];
