import { z } from 'zod';
import { rejectScopedToken, requireUserId, ssoOf } from '../../../platform/access/actor.ts';
import { command, idOf } from '../../../platform/operation/operation.ts';
import { recordSessionEnd } from './sign-out.ts';

export const endSession = command({
  name: 'endSession',
  scope: 'admin',
  description:
    'Ends one of your sessions, also the one that you are using: its browser is signed out. Other processes of the service may accept it for up to five more seconds. FORBIDDEN for a token that is restricted to scopes. In an SSO session, only those that were started with the same identity provider.',
  input: z.object({ sessionId: idOf('session') }),
  async run(ctx, { sessionId }) {
    const userId = requireUserId(ctx.actor);
    rejectScopedToken(ctx.actor);
    const sso = ssoOf(ctx.actor);
    const ended = await ctx.db
      .deleteFrom('session')
      .where('id', '=', sessionId)
      .where('userId', '=', userId)
      .$if(sso !== undefined, (sessions) => sessions.where('samlProviderId', '=', sso?.providerId ?? ''))
      .returning(['secretHash', 'userId', 'samlProviderId'])
      .executeTakeFirst();
    if (!ended) return { deletedId: null, userId: null };
    await recordSessionEnd(ctx, ended);
    return { deletedId: sessionId, userId };
  },
});
