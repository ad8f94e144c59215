import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { DAY_MS } from '../../../lib/durations.ts';
import { type Actor, ANONYMOUS, requireUserId, userIdOf } from '../../../platform/access/actor.ts';
import type { Context } from '../../../platform/context/context.ts';
import { ApiError } from '../../../platform/errors/errors.ts';
import { accountPage } from '../../../platform/http/pages/account-page.ts';
import { cookieIn, setCookie } from '../../../platform/http/session-cookie.ts';
import {
  formOf,
  queryParameter,
  rejectForeignForm,
  seeOther,
  type WebResponse,
  type WebRoute,
} from '../../../platform/http/web-route.ts';
import { parse } from '../../../platform/operation/operation.ts';
import { forgetRequestCache } from '../../../platform/reads/request-cache.ts';
import { revokeOAuthGrant } from '../oauth/index.ts';
import {
  endSession,
  SIGN_IN_LINK_PATH,
  signOut,
  startSessionWithLink,
  startSessionWithToken,
} from '../sessions/index.ts';
import { createApiToken, provingToken, revokeApiToken, updateUser, verifyEmail } from '../users/index.ts';
import { accountHtml, signInHtml, signInLinkPage, verifyHtml } from './page.ts';
import { accountResponse, ownPath, sessionCookie } from './web-responses.ts';

const ACCOUNT = '/account';

const signInInput = z.object({ token: z.string().min(1).max(200), next: z.string().max(2_000).optional() });

/** The page of the signed-in user. */
export const accountRoutes: WebRoute[] = [
  { method: 'GET', path: ACCOUNT, handle: show },
  { method: 'POST', path: `${ACCOUNT}/tokens`, handle: createToken },
  { method: 'POST', path: `${ACCOUNT}/tokens/revoke`, handle: revokeToken },
  { method: 'POST', path: '/app/sign-in', handle: signIn },
  { method: 'GET', path: SIGN_IN_LINK_PATH, handle: showLink },
  { method: 'POST', path: SIGN_IN_LINK_PATH, handle: signInByLink },
  { method: 'POST', path: `${ACCOUNT}/grants/revoke`, handle: disconnect },
  { method: 'POST', path: `${ACCOUNT}/sessions/end`, handle: endOneSession },
  { method: 'POST', path: `${ACCOUNT}/email-address`, handle: changeAddress },
  { method: 'POST', path: `${ACCOUNT}/sign-out`, handle: signOutHere },
  { method: 'GET', path: `${ACCOUNT}/verify-email`, handle: showVerification },
  { method: 'POST', path: `${ACCOUNT}/verify-email`, handle: verify },
];

async function show(ctx: Context, request: FastifyRequest): Promise<WebResponse> {
  if (userIdOf(ctx.actor) !== undefined) return accountPage('Account', await accountHtml(ctx));
  const next = queryParameter(request, 'next');
  const options = next === undefined ? {} : { next: ownPath(next, ctx.services.config.publicUrl) };
  return accountPage('Sign in', await signInHtml(ctx, queryParameter(request, 'organization')?.slice(0, 200), options));
}

/** The new token is shown in the response to the form and nowhere else. */
function createToken(ctx: Context, request: FastifyRequest): Promise<WebResponse> {
  return change(ctx, request, async () => {
    const { label = '', days = '' } = formOf(request);
    const isTimed = /^[1-9][0-9]{0,3}$/.test(days);
    const expiresAt = isTimed
      ? new Date(ctx.services.clock().getTime() + Number(days) * DAY_MS).toISOString()
      : undefined;
    const { secret } = await createApiToken(ctx, { label, expiresAt });
    forgetRequestCache(ctx);
    return accountPage('Account', await accountHtml(ctx, { ...(secret !== null && { secret }) }));
  });
}

function revokeToken(ctx: Context, request: FastifyRequest): Promise<WebResponse> {
  return change(ctx, request, async () => {
    const { apiTokenId = '' } = formOf(request);
    await revokeApiToken(ctx, { apiTokenId });
    return seeOther(ACCOUNT);
  });
}

function disconnect(ctx: Context, request: FastifyRequest): Promise<WebResponse> {
  return change(ctx, request, async () => {
    const { oauthGrantId = '' } = formOf(request);
    await revokeOAuthGrant(ctx, { oauthGrantId });
    return seeOther(ACCOUNT);
  });
}

function endOneSession(ctx: Context, request: FastifyRequest): Promise<WebResponse> {
  return change(ctx, request, async () => {
    const { sessionId = '' } = formOf(request);
    await endSession(ctx, { sessionId });
    return seeOther(ACCOUNT);
  });
}

/** The new address is claimed, and verified by the link that is sent to it. */
function changeAddress(ctx: Context, request: FastifyRequest): Promise<WebResponse> {
  return change(ctx, request, async () => {
    const { email = '' } = formOf(request);
    await updateUser(ctx, { userId: requireUserId(ctx.actor), email: email.trim() });
    return seeOther(ACCOUNT);
  });
}

function change(ctx: Context, request: FastifyRequest, act: () => Promise<WebResponse>): Promise<WebResponse> {
  if (userIdOf(ctx.actor) === undefined) rejectFormFromElsewhere(ctx, request);
  return accountResponse(ctx, act);
}

/** Of requests without a session, only those of browsers have an origin. */
function rejectFormFromElsewhere(ctx: Context, request: FastifyRequest): void {
  if (request.headers.origin !== undefined) rejectForeignForm(request, ctx.services.config);
}

async function showVerification(ctx: Context, request: FastifyRequest): Promise<WebResponse> {
  return accountPage('Confirm your email address', verifyHtml(ctx, queryParameter(request, 'secret') ?? ''));
}

/** Verifies an address for the session, or for the token that the form has. */
async function verify(ctx: Context, request: FastifyRequest): Promise<WebResponse> {
  rejectForeignForm(request, ctx.services.config);
  const { secret = '', token } = formOf(request);
  const actor = token === undefined ? ctx.actor : await actorOfToken(ctx, token);
  const title = 'Confirm your email address';
  if (userIdOf(actor) === undefined)
    return accountPage(
      title,
      verifyHtml(
        ctx,
        secret,
        'This is not an access token that proves an account: it is unknown, or was created with SSO or restricted to scopes.',
      ),
      401,
    );
  try {
    await verifyEmail({ ...ctx, actor }, { secret });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return accountPage(title, verifyHtml(ctx, secret, error.message), error.status);
  }
  return accountPage(title, '<h1>Your email address is confirmed</h1>\n<p><a href="/account">Account</a></p>');
}

/** The owner of an access token of a form. Anonymous if the token does not prove an account. */
async function actorOfToken(ctx: Context, token: string): Promise<Actor> {
  const proving = await provingToken(ctx, token);
  if (!proving) return ANONYMOUS;
  return { kind: 'user', userId: proving.userId, isOperator: false, by: 'token', tokenId: proving.id };
}

/**
 * Exchanges an access token for a session. Forms are redirected to `next`, and get a page with the error. JSON gets 204
 * or the error of the API.
 */
async function signIn(ctx: Context, request: FastifyRequest): Promise<WebResponse> {
  const { config } = ctx.services;
  rejectForeignForm(request, config);
  const isForm = request.body instanceof URLSearchParams;
  const { token = '', next = '' } = isForm ? formOf(request) : parse(signInInput, request.body);
  try {
    const cookie = sessionCookie(ctx, await startSessionWithToken(ctx, token));
    if (isForm) return seeOther(ownPath(next, config.publicUrl), cookie);
    return { status: 204, headers: { ...cookie, 'cache-control': 'no-store' } };
  } catch (error) {
    if (!isForm || !(error instanceof ApiError)) throw error;
    return accountPage('Sign in', await signInHtml(ctx, undefined, { alert: error.message, next }), error.status);
  }
}

async function showLink(_ctx: Context, request: FastifyRequest): Promise<WebResponse> {
  return accountPage('Sign in', signInLinkPage(queryParameter(request, 'secret') ?? ''));
}

async function signInByLink(ctx: Context, request: FastifyRequest): Promise<WebResponse> {
  rejectForeignForm(request, ctx.services.config);
  const { secret = '' } = formOf(request);
  try {
    return seeOther('/app', sessionCookie(ctx, await startSessionWithLink(ctx, secret)));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return accountPage(
      'Sign in',
      await signInHtml(ctx, undefined, { alert: error.message, next: '/app' }),
      error.status,
    );
  }
}

async function signOutHere(ctx: Context, request: FastifyRequest): Promise<WebResponse> {
  const { config } = ctx.services;
  if (userIdOf(ctx.actor) === undefined) rejectFormFromElsewhere(ctx, request);
  const secret = cookieIn('session', request, config);
  if (secret !== undefined) await signOut(ctx, secret);
  // The next person at this browser does not get the unsent texts of this one.
  return seeOther(ACCOUNT, { 'set-cookie': setCookie('session', '', 0, config), 'clear-site-data': '"storage"' });
}
