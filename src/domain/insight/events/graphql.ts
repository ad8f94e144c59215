import { afterEvent, RESUMES } from '../../../platform/graphql/after-event.ts';
import { builder } from '../../../platform/graphql/builder.ts';
import { connection } from '../../../platform/graphql/connection.ts';
import { Node, registerNode } from '../../../platform/graphql/node.ts';
import { typeOf } from '../../../platform/graphql/resource-type.ts';
import { OrganizationType } from '../../people/organizations/graphql.ts';
import { listAuditEvents } from './list-audit-events.ts';
import { listEvents } from './list-events.ts';
import { loadEvent } from './load.ts';
import { type EventReference, eventReferences, referencedNode } from './references.ts';
import { event } from './resources.ts';
import { subscribeToEvents } from './subscribe-to-events.ts';

const EventType = typeOf(event);

registerNode(EventType, 'event', loadEvent);

const EventReferenceType = builder.objectRef<EventReference>('EventReference').implement({
  description: 'A resource that an event concerns.',
  fields: (t) => ({
    name: t.exposeString('name', {
      description: 'Role of the resource, by the name that inputs have for its ID: `changeRequestId`, `userId`.',
    }),
    resourceId: t.exposeID('resourceId', { description: 'ID of the resource, which may no longer exist.' }),
    node: t.field({
      type: Node,
      nullable: true,
      description: 'The resource, as it is now. Null if it no longer exists or you cannot see it.',
      resolve: (reference, _args, ctx) => referencedNode(ctx, reference) as Promise<{ id: string } | null>,
    }),
  }),
});

builder.objectFields(EventType, (t) => ({
  references: t.field({
    type: [EventReferenceType],
    description: 'Resources that the event concerns: those in `ids`, as they are now.',
    resolve: eventReferences,
  }),
}));

builder.objectFields(OrganizationType, (t) => ({
  events: connection(t, {
    type: EventType,
    operation: listEvents,
    description: `${listEvents.description} FORBIDDEN if you are not an admin.`,
    nullable: true,
    parent: 'organizationId',
  }),
  auditEvents: connection(t, {
    type: EventType,
    operation: listAuditEvents,
    description: `${listAuditEvents.description} FORBIDDEN if you are not an admin.`,
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
