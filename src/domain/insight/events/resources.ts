import { z } from 'zod';
import { eventKind } from '../../../platform/events/kinds.ts';
import type { EventRow } from '../../../platform/events/read-events.ts';
import { resource } from '../../../platform/resource/resource.ts';
import { loadUser, user } from '../../people/users/index.ts';
import { loadSpace, space } from '../../places/spaces/index.ts';

const idsByName = z.record(z.string(), z.string());

export const event = resource<EventRow>(
  {
    name: 'Event',
    object: 'event',
    node: 'event',
    description: 'A record of something that happened in an organization. Events contain IDs, never content.',
  },
  (f) => ({
    kind: f.enum(eventKind)('Kind of the event.', ({ kind }) => kind, { rest: 'type' }),
    organization: f.id('org').optional('ID of the organization.', ({ organizationId }) => organizationId, {
      graph: false,
    }),
    spaceId: f
      .id('space')
      .optional('ID of the space that the event concerns. Null if there is none.', (row) => row.spaceId, {
        rest: 'space',
      }),
    space: f
      .object(() => space)
      .optional(
        'Space that the event concerns. Null if there is none, or if you can no longer see it.',
        ({ spaceId }, ctx) => (spaceId === null ? null : loadSpace(ctx, spaceId)),
        { rest: false },
      ),
    actorId: f.apart({
      graph: f
        .id('user')
        .optional(
          'ID of the user or installation that caused the event. Null if the service itself caused it.',
          (row) => row.actorId,
        ),
      rest: f.string.optional(
        'ID of the user or installation that caused the event. Left out if the service itself caused it.',
        (row) => row.actorId,
        { rest: 'actor' },
      ),
    }),
    actor: f
      .object(() => user)
      .optional(
        'User who caused the event. Null if no user did, or if the account no longer exists.',
        ({ actorId }, ctx) => (actorId === null ? null : loadUser(ctx, actorId)),
        { rest: false },
      ),
    ids: f.jsonObject(idsByName)(
      'IDs of all resources that the event concerns, by the names that GraphQL inputs use: `{ "changeRequestId": "cr_…" }`.',
      ({ ids }) => ids,
    ),
    createdAt: f.time('Time of the event.', ({ createdAt }) => createdAt),
  }),
);
