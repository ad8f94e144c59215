import { answering, listRoute, type Route } from '../../../platform/http/route.ts';
import { listEvents } from './list-events.ts';
import { event } from './resources.ts';

export const eventRoutes: Route[] = [
  listRoute('/v1/orgs/:organizationId/events', listEvents, {
    operationId: 'listOrganizationEvents',
    rename: { type: 'kind', space: 'spaceId', since: 'sinceId', actor: 'actorId', resource: 'resourceId' },
    answers: answering(event),
  }),
];
