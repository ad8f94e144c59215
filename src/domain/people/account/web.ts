import type { FastifyRequest } from 'fastify';
import { userIdOf } from '../../../platform/access/actor.ts';
import type { Context } from '../../../platform/context.ts';
import { ApiError } from '../../../platform/errors.ts';
import { accountPage } from '../../../platform/http/pages/account-page.ts';
import { cookieIn, setCookie } from '../../../platform/http/session-cookie.ts';
import { formOf, seeOther, type WebAnswer, type WebRoute } from '../../../platform/http/web-route.ts';
import { forgetRequestCache } from '../../../platform/request-cache.ts';
import { endSession } from '../sessions/index.ts';
import { createApiToken, revokeApiToken } from '../users/index.ts';
import { accountHtml, signInHtml } from './page.ts';

const ACCOUNT = '/account';
const DAY_MS = 86_400_000;

/** The page of the signed-in user. */
export const accountRoutes: WebRoute[] = [
  { method: 'GET', path: ACCOUNT, handle: show },
  { method: 'POST', path: `${ACCOUNT}/tokens`, handle: createToken },
  { method: 'POST', path: `${ACCOUNT}/tokens/revoke`, handle: revokeToken },
  { method: 'POST', path: `${ACCOUNT}/sign-out`, handle: signOut },
];

async function show(ctx: Context, { query }: FastifyRequest): Promise<WebAnswer> {
  if (userIdOf(ctx.actor) !== undefined) return accountPage('Account', await accountHtml(ctx));
  const { organization } = query as Record<string, unknown>; // of any request
  const wanted = typeof organization === 'string' ? organization.slice(0, 200) : undefined;
  return accountPage('Sign in', await signInHtml(ctx, wanted));
}

/** The new token is shown in the response to the form and nowhere else. */
async function createToken(ctx: Context, request: FastifyRequest): Promise<WebAnswer> {
  if (userIdOf(ctx.actor) === undefined) return seeOther(ACCOUNT);
  const { label = '', days = '' } = formOf(request);
  const isTimed = /^[1-9][0-9]{0,3}$/.test(days);
  const expiresAt = isTimed
    ? new Date(ctx.services.clock().getTime() + Number(days) * DAY_MS).toISOString()
    : undefined;
  try {
    const { secret } = await createApiToken(ctx, { label, expiresAt });
    forgetRequestCache(ctx);
    return accountPage('Account', await accountHtml(ctx, { ...(secret !== null && { secret }) }));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return accountPage('Account', await accountHtml(ctx, { alert: error.message }), error.status);
  }
}

async function revokeToken(ctx: Context, request: FastifyRequest): Promise<WebAnswer> {
  if (userIdOf(ctx.actor) === undefined) return seeOther(ACCOUNT);
  const { apiTokenId = '' } = formOf(request);
  await revokeApiToken(ctx, { apiTokenId });
  return seeOther(ACCOUNT);
}

async function signOut(ctx: Context, request: FastifyRequest): Promise<WebAnswer> {
  const { config } = ctx.services;
  const secret = cookieIn('session', request, config);
  if (secret !== undefined) await endSession(ctx, secret);
  return seeOther(ACCOUNT, { 'set-cookie': setCookie('session', '', 0, config) });
}
