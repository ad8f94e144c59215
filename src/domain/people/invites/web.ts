import type { FastifyRequest } from 'fastify';
import { userIdOf } from '../../../platform/access/actor.ts';
import type { Context } from '../../../platform/context.ts';
import { setCookie } from '../../../platform/http/session-cookie.ts';
import { formOf, rejectForeignForm, type WebAnswer, type WebRoute } from '../../../platform/http/web-route.ts';
import { acceptInviteInBrowser } from './accept-invite.ts';

/** What the page of invitations sends when its reader accepts. */
export const inviteWebRoutes: WebRoute[] = [{ method: 'POST', path: '/invite', handle: accept }];

async function accept(ctx: Context, request: FastifyRequest): Promise<WebAnswer> {
  const { config } = ctx.services;
  // Other sites must not sign anybody in to an account of theirs.
  rejectForeignForm(request, config);
  const { inviteId = '', secret = '', displayName } = formOf(request);
  const { session } = await acceptInviteInBrowser(ctx, { inviteId, secret, displayName: displayName || null });
  const isSignedIn = session !== null || userIdOf(ctx.actor) !== undefined;
  return {
    status: 200,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      ...(session && { 'set-cookie': setCookie('session', session.secret, session.maxAgeSeconds, config) }),
    },
    body: JSON.stringify({ isSignedIn }),
  };
}
