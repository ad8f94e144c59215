import { afterEvent, RESUMES } from '../../../platform/graphql/after-event.ts';
import { builder } from '../../../platform/graphql/builder.ts';
import { connection } from '../../../platform/graphql/connection.ts';
import { registerNode } from '../../../platform/graphql/node.ts';
import { typeOf } from '../../../platform/graphql/resource-type.ts';
import { OrganizationType } from '../../people/organizations/graphql.ts';
import { listEvents } from './list-events.ts';
import { loadEvent } from './load.ts';
import { event } from './resources.ts';
import { subscribeToEvents } from './subscribe-to-events.ts';

export const EventType = typeOf(event);

registerNode(EventType, 'event', loadEvent);

builder.objectFields(OrganizationType, (t) => ({
  events: connection(t, {
    type: EventType,
    operation: listEvents,
    description: `${listEvents.description} FORBIDDEN if you are not an admin.`,
    nullable: true,
    parent: 'organizationId',
  }),
}));

builder.subscriptionField('eventRecorded', (t) =>
  t.field({
    type: EventType,
    description: `Delivers every event of an organization as it is recorded, in the order of \`Organization.events\`. Requires the role \`admin\` in the organization: the stream ends with FORBIDDEN or NOT_FOUND when you no longer have it. ${RESUMES}`,
    args: {
      organizationId: t.arg.id({ required: true, description: 'ID of the `Organization` (`org_…`).' }),
      after: afterEvent(t),
    },
    subscribe: (_root, args, ctx) => subscribeToEvents(ctx, args),
    resolve: (recorded) => recorded,
  }),
);
