import { z } from 'zod';
import { type EventClient, eventClientKind } from '../../../platform/events/event-client.ts';
import { eventKind } from '../../../platform/events/kinds.ts';
import type { EventRow } from '../../../platform/events/read-events.ts';
import { listChanges, type SettingChange } from '../../../platform/events/settings-changes.ts';
import { types } from '../../../platform/resource/field-types.ts';
import { resource } from '../../../platform/resource/resource.ts';
import { loadUser, user } from '../../people/users/index.ts';
import { loadSpace, space } from '../../places/spaces/index.ts';

const idsByName = z.record(z.string(), z.string());

const eventClient = resource<EventClient>(
  { name: 'EventClient', description: 'The client that caused an audited event.' },
  (f) => ({
    kind: f.enum(eventClientKind)('How the client was authenticated.', ({ kind }) => kind),
    apiTokenId: f
      .id('token')
      .optional(
        'ID of the access token that was used. Null if there was none.',
        ({ apiTokenId }) => apiTokenId ?? null,
      ),
    samlProviderId: f
      .id('saml')
      .optional(
        'ID of the SAML provider that the user signed in with. Null if there was none.',
        (client) => client.samlProviderId ?? null,
      ),
    tool: f.string.optional(
      'Tool of `/mcp` that the event was caused by. Null if it was caused in another way.',
      ({ tool }) => tool ?? null,
    ),
    oauthGrantId: f
      .id('oauthgrant')
      .optional(
        'ID of the `OAuthGrant` of the application that was used. Null if there was none.',
        (client) => client.oauthGrantId ?? null,
      ),
    name: f.string.optional(
      'Self-reported, unverified name of the application: given when it was connected with OAuth, or else in the request to `/mcp` or in its `User-Agent`. Null if there was none.',
      ({ name }) => name ?? null,
    ),
    oidcProviderId: f
      .id('oidc')
      .optional(
        'ID of the OIDC provider that the user signed in with. Null if there was none.',
        (client) => client.oidcProviderId ?? null,
      ),
    scimTokenId: f
      .id('scimtoken')
      .optional(
        'ID of the SCIM token that was used. Null if there was none.',
        ({ scimTokenId }) => scimTokenId ?? null,
      ),
    address: f.string.optional(
      'IP address of the client: IPv4 in full, the /64 network for IPv6. Null for the service itself.',
      (client) => client.address ?? null,
    ),
  }),
);

const settingChange = resource<SettingChange>(
  {
    name: 'EventSettingChange',
    description:
      'A setting that an event changed. Values are texts, and JSON for lists and objects. Of a URL only the origin is kept, and of a value above 500 characters its SHA-256 hash. Secrets are never kept.',
  },
  (f) => ({
    setting: f.string('Name of the setting.', ({ setting }) => setting),
    from: f.string.optional('Value before the event. Null if there was none.', ({ from }) => from),
    to: f.string.optional('Value after the event. Null if there is none.', ({ to }) => to),
  }),
);

export const event = resource<EventRow>(
  {
    name: 'Event',
    object: 'event',
    node: 'event',
    description:
      'A record of something that happened in an organization. Events contain IDs and, if they are audited, the client and changed settings; never content or secrets.',
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
          'ID of the user, installation or SCIM token that caused the event. Null if the service itself caused it.',
          (row) => row.actorId,
        ),
      rest: f.string.optional(
        'ID of the user, installation or SCIM token that caused the event. Left out if the service itself caused it.',
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
    client: f
      .object(() => eventClient)
      .optional(
        'Client that caused the event. Null for events that are not audited, and for those from before clients were recorded.',
        (row) => row.client,
      ),
    changes: f.list(types.object(() => settingChange))(
      'Settings that an audited event changed, by name. Empty if there are none.',
      ({ changes }) => listChanges(changes),
    ),
    createdAt: f.time('Time of the event.', ({ createdAt }) => createdAt),
  }),
);
