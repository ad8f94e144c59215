import { builder } from '../../../platform/graphql/builder.ts';
import { connection } from '../../../platform/graphql/connection.ts';
import { mutation } from '../../../platform/graphql/mutation.ts';
import { registerNode } from '../../../platform/graphql/node.ts';
import { typeOf } from '../../../platform/graphql/resource-type.ts';
import { readAsViewer, UserType } from '../users/graphql.ts';
import { loadUser } from '../users/index.ts';
import { createSignInLink } from './create-sign-in-link.ts';
import { endSession } from './end-session.ts';
import { listSessions } from './list-sessions.ts';
import { loadSession } from './load-session.ts';
import { session } from './resources.ts';

const SessionType = typeOf(session);

registerNode(SessionType, 'session', loadSession);

builder.objectFields(UserType, (t) => ({
  sessions: connection(t, {
    type: SessionType,
    operation: listSessions,
    description: `${listSessions.description} FORBIDDEN for other users.`,
    nullable: true,
    without: [],
    from: () => ({}),
    list: (row, input, ctx) => readAsViewer(ctx, row.id, () => listSessions(ctx, input)),
  }),
}));

mutation(endSession, {
  deletedId: {
    type: 'ID',
    nullable: true,
    description: 'ID of the ended session. Null if you have no such session.',
    resolve: ({ deletedId }) => deletedId,
  },
  user: {
    type: UserType,
    nullable: true,
    description: 'You, the owner of the session. Null if nothing was ended.',
    resolve: ({ userId }, ctx) => (userId === null ? null : loadUser(ctx, userId)),
  },
});

mutation(createSignInLink, {
  url: {
    type: 'URL',
    nullable: true,
    description: 'The link. Returned only once: null if the mutation is repeated with the same idempotency key.',
    resolve: ({ url }) => url,
  },
  expiresAt: {
    type: 'DateTime',
    description: 'Time until which the link can be used.',
    resolve: ({ expiresAt }) => expiresAt,
  },
});
