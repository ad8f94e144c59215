import { eventKind } from '../../../platform/events/kinds.ts';
import type { EventRow } from '../../../platform/events/read-events.ts';
import { builder } from '../../../platform/graphql/builder.ts';
import { connection } from '../../../platform/graphql/connection.ts';
import { enumType } from '../../../platform/graphql/enums.ts';
import { registerNode } from '../../../platform/graphql/node.ts';
import { OrganizationType } from '../../people/organizations/graphql.ts';
import { UserType } from '../../people/users/graphql.ts';
import { loadUser } from '../../people/users/index.ts';
import { SpaceType } from '../../places/spaces/graphql.ts';
import { loadSpace } from '../../places/spaces/index.ts';
import { listEvents } from './list-events.ts';
import { loadEvent } from './load.ts';
import { subscribeToEvents } from './subscribe-to-events.ts';

export const EventType = builder.objectRef<EventRow>('Event').implement({
  description: 'Something that happened: what, who, when and to which resources. It holds ids, never content.',
  fields: (t) => ({
    kind: t.expose('kind', { type: enumType(eventKind), description: 'What happened.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it happened.' }),
    actorId: t.exposeID('actorId', {
      nullable: true,
      description: 'Who did it: a user or an installation. Null when the service itself did.',
    }),
    actor: t.field({
      type: UserType,
      nullable: true,
      description: 'The user who did it; null when no user did, or the account is gone.',
      resolve: ({ actorId }, _args, ctx) => (actorId === null ? null : loadUser(ctx, actorId)),
    }),
    spaceId: t.exposeID('spaceId', { nullable: true, description: 'The space that it concerns, if one.' }),
    space: t.field({
      type: SpaceType,
      nullable: true,
      description: 'The space that it concerns; null when it concerns none, or you may not see that any more.',
      resolve: ({ spaceId }, _args, ctx) => (spaceId === null ? null : loadSpace(ctx, spaceId)),
    }),
    ids: t.expose('ids', {
      type: 'JSONObject',
      description: 'Ids of every resource that it concerns, by name: `{ "changeRequestId": "cr_…" }`.',
    }),
  }),
});

registerNode(EventType, 'event', loadEvent);

builder.objectFields(OrganizationType, (t) => ({
  events: connection(t, {
    type: EventType,
    operation: listEvents,
    description: `${listEvents.description} FORBIDDEN for others.`,
    nullable: true,
    without: ['organizationId'],
    from: ({ id }) => ({ organizationId: id }),
  }),
}));

builder.subscriptionField('eventRecorded', (t) =>
  t.field({
    type: EventType,
    description:
      'Every event of an organization as it is recorded, in the order of `Organization.events`. For its admins: the stream ' +
      'ends with FORBIDDEN or NOT_FOUND for who is none any more. After a break, `Last-Event-ID` or `after` goes on without a gap.',
    args: {
      organizationId: t.arg.id({ required: true, description: 'Id of the organization (`org_…`).' }),
      after: t.arg.id({
        description:
          'Begins with the event after this one: the last that you have. Without it, with the next that happens.',
      }),
    },
    subscribe: (_root, args, ctx) => subscribeToEvents(ctx, args),
    resolve: (event) => event,
  }),
);
