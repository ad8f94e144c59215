import type { FastifyRequest } from 'fastify';
import type { Context } from '../../../../platform/context/context.ts';
import { cookieIn, signInCookie } from '../../../../platform/http/session-cookie.ts';
import {
  formOf,
  queryParameter,
  seeOther,
  type WebResponse,
  type WebRoute,
} from '../../../../platform/http/web-route.ts';
import { SignInError } from '../sign-in-error.ts';
import { queryStringOf, withSignInErrorPage } from '../web-responses.ts';
import { acceptCallback } from './accept-callback.ts';
import { acceptLogoutToken } from './accept-logout-token.ts';
import { OIDC } from './oidc-service.ts';
import { startOidcSignIn } from './start-oidc-sign-in.ts';

/** The relying party of OpenID Connect, for browsers, and for providers that end sessions. */
export const oidcSignInRoutes: WebRoute[] = [
  { method: 'GET', path: `${OIDC}/start`, handle: start },
  { method: 'GET', path: `${OIDC}/callback`, handle: callback },
  {
    method: 'POST',
    path: `${OIDC}/backchannel-logout`,
    ignoresCaller: true,
    handle: (ctx, request) => answerLogout(request, (token) => acceptLogoutToken(ctx, providerIn(request), token)),
  },
];

const providerIn = ({ params }: FastifyRequest) => (params as { oidcProviderId: string }).oidcProviderId; // of the route

function start(ctx: Context, request: FastifyRequest): Promise<WebResponse> {
  const { config } = ctx.services;
  return withSignInErrorPage(async () => {
    const { redirectTo, browserSecret } = await startOidcSignIn(ctx, {
      providerId: providerIn(request),
      returnTo: queryParameter(request, 'returnTo'),
      browserSecret: cookieIn('sign_in', request, config),
    });
    return seeOther(redirectTo, signInCookie(browserSecret, config));
  });
}

function callback(ctx: Context, request: FastifyRequest): Promise<WebResponse> {
  return withSignInErrorPage(async () => {
    const code = await acceptCallback(ctx, {
      oidcProviderId: providerIn(request),
      query: queryStringOf(request),
      state: queryParameter(request, 'state'),
      browserSecret: cookieIn('sign_in', request, ctx.services.config),
    });
    return seeOther(`/sso/finish?code=${code}`);
  });
}

/** Answers as Back-Channel Logout 1.0, 2.8, asks for. */
export async function answerLogout(
  request: FastifyRequest,
  accept: (token: string) => Promise<void>,
): Promise<WebResponse> {
  const headers = { 'cache-control': 'no-store' };
  try {
    const { logout_token: token = '' } = formOf(request);
    await accept(token);
    return { status: 200, headers };
  } catch (error) {
    if (!(error instanceof SignInError)) throw error;
    const body = JSON.stringify({ error: 'invalid_request', error_description: error.message });
    return { status: 400, headers: { ...headers, 'content-type': 'application/json' }, body };
  }
}
