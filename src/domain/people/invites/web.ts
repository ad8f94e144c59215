import type { FastifyRequest } from 'fastify';
import { userIdOf } from '../../../platform/access/actor.ts';
import type { Context } from '../../../platform/context/context.ts';
import { setCookie } from '../../../platform/http/session-cookie.ts';
import { formOf, rejectForeignForm, type WebResponse, type WebRoute } from '../../../platform/http/web-route.ts';
import { acceptInviteInBrowser } from './accept-invite.ts';
import { describeInvite } from './describe-invite.ts';

/** Requests of the page of invitations: when it opens, and when its reader accepts. */
export const inviteWebRoutes: WebRoute[] = [
  { method: 'POST', path: '/invite/details', handle: details },
  { method: 'POST', path: '/invite', handle: accept },
];

const HEADERS = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' };

async function details(ctx: Context, request: FastifyRequest): Promise<WebResponse> {
  rejectForeignForm(request, ctx.services.config);
  const { inviteId = '', secret = '' } = formOf(request);
  return { status: 200, headers: HEADERS, body: JSON.stringify(await describeInvite(ctx, { inviteId, secret })) };
}

async function accept(ctx: Context, request: FastifyRequest): Promise<WebResponse> {
  const { config } = ctx.services;
  // Other sites must not sign visitors in to an account that the site controls.
  rejectForeignForm(request, config);
  const { inviteId = '', secret = '', displayName } = formOf(request);
  const { session } = await acceptInviteInBrowser(ctx, { inviteId, secret, displayName: displayName || null });
  const isSignedIn = session !== null || userIdOf(ctx.actor) !== undefined;
  return {
    status: 200,
    headers: {
      ...HEADERS,
      ...(session && { 'set-cookie': setCookie('session', session.secret, session.maxAgeSeconds, config) }),
    },
    body: JSON.stringify({ isSignedIn }),
  };
}
