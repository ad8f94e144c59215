import type { FastifyReply, FastifyRequest } from 'fastify';
import { userIdOf } from '../../../platform/access/actor.ts';
import type { Context } from '../../../platform/context.ts';
import { ApiError } from '../../../platform/errors.ts';
import { sendPage } from '../../../platform/http/pages/send-page.ts';
import { cookieIn, setCookie } from '../../../platform/http/session-cookie.ts';
import { formOf, type WebRoute } from '../../../platform/http/web-route.ts';
import { forgetRequestCache } from '../../../platform/request-cache.ts';
import { endSession } from '../sessions/index.ts';
import { createApiToken, revokeApiToken } from '../users/index.ts';
import { accountHtml, type Notice, signInHtml } from './page.ts';

const ACCOUNT = '/account';
const DAY_MS = 86_400_000;

/** The page of the signed-in user. */
export const accountRoutes: WebRoute[] = [
  { method: 'GET', path: ACCOUNT, handle: (request, reply, ctx) => show(request, reply, ctx) },
  { method: 'POST', path: `${ACCOUNT}/tokens`, handle: createToken },
  { method: 'POST', path: `${ACCOUNT}/tokens/revoke`, handle: revokeToken },
  { method: 'POST', path: `${ACCOUNT}/sign-out`, handle: signOut },
];

async function show(
  request: FastifyRequest,
  reply: FastifyReply,
  ctx: Context,
  notice: Notice = {},
): Promise<FastifyReply> {
  if (userIdOf(ctx.actor) !== undefined) {
    return sendPage(reply, { title: 'Account', body: await accountHtml(ctx, notice) });
  }
  const { organization } = request.query as Record<string, unknown>; // of any request
  const wanted = typeof organization === 'string' ? organization.slice(0, 200) : undefined;
  return sendPage(reply, { title: 'Sign in', body: await signInHtml(ctx, wanted) });
}

/** The new token is shown in the response to the form and nowhere else. */
async function createToken(request: FastifyRequest, reply: FastifyReply, ctx: Context): Promise<FastifyReply> {
  if (ctx.actor.kind === 'anonymous') return reply.redirect(ACCOUNT, 303);
  const { label = '', days = '' } = formOf(request);
  const isTimed = /^[1-9][0-9]{0,3}$/.test(days);
  const expiresAt = isTimed
    ? new Date(ctx.services.clock().getTime() + Number(days) * DAY_MS).toISOString()
    : undefined;
  try {
    const { secret } = await createApiToken(ctx, { label, expiresAt });
    forgetRequestCache(ctx);
    return await show(request, reply, ctx, { ...(secret !== null && { secret }) });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return show(request, reply.status(error.status), ctx, { alert: error.message });
  }
}

async function revokeToken(request: FastifyRequest, reply: FastifyReply, ctx: Context): Promise<FastifyReply> {
  if (ctx.actor.kind === 'anonymous') return reply.redirect(ACCOUNT, 303);
  const { apiTokenId = '' } = formOf(request);
  await revokeApiToken(ctx, { apiTokenId });
  return reply.redirect(ACCOUNT, 303);
}

async function signOut(request: FastifyRequest, reply: FastifyReply, ctx: Context): Promise<FastifyReply> {
  const { config } = ctx.services;
  const secret = cookieIn('session', request, config);
  if (secret !== undefined) await endSession(ctx, secret);
  return reply.header('set-cookie', setCookie('session', '', 0, config)).redirect(ACCOUNT, 303);
}
