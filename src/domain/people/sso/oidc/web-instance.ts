import type { FastifyRequest } from 'fastify';
import type { Context } from '../../../../platform/context/context.ts';
import { cookieIn, setCookie, signInCookie } from '../../../../platform/http/session-cookie.ts';
import { queryParameter, seeOther, type WebResponse, type WebRoute } from '../../../../platform/http/web-route.ts';
import { SignInError } from '../sign-in-error.ts';
import { queryStringOf, withSignInErrorPage } from '../web-responses.ts';
import { acceptInstanceLogout } from './accept-logout-token.ts';
import { INSTANCE } from './instance-provider.ts';
import { acceptInstanceCallback, startInstanceSignIn } from './instance-sign-in.ts';
import { answerLogout } from './web.ts';

/** The sign-in with the provider of the whole service. */
export const instanceSignInRoutes: WebRoute[] = [
  { method: 'GET', path: `${INSTANCE}/start`, handle: start },
  { method: 'GET', path: `${INSTANCE}/callback`, handle: callback },
  {
    method: 'POST',
    path: `${INSTANCE}/backchannel-logout`,
    ignoresCaller: true,
    handle: (ctx, request) => answerLogout(request, (token) => acceptInstanceLogout(ctx, token)),
  },
];

function start(ctx: Context, request: FastifyRequest): Promise<WebResponse> {
  const { config } = ctx.services;
  return withSignInErrorPage(async () => {
    const { redirectTo, browserSecret } = await startInstanceSignIn(ctx, {
      returnTo: queryParameter(request, 'returnTo'),
      browserSecret: cookieIn('sign_in', request, config),
    });
    return seeOther(redirectTo, signInCookie(browserSecret, config));
  });
}

function callback(ctx: Context, request: FastifyRequest): Promise<WebResponse> {
  const { config } = ctx.services;
  return withSignInErrorPage(async () => {
    try {
      const { secret, maxAgeSeconds, returnTo } = await acceptInstanceCallback(ctx, {
        query: queryStringOf(request),
        state: queryParameter(request, 'state'),
        browserSecret: cookieIn('sign_in', request, config),
      });
      return seeOther(returnTo, { 'set-cookie': setCookie('session', secret, maxAgeSeconds, config) });
    } catch (error) {
      if (error instanceof SignInError) ctx.log.warn({ reason: error.message }, 'OIDC response rejected');
      throw error;
    }
  });
}
