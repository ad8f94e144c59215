import type { FastifyRequest } from 'fastify';
import { userIdOf } from '../../../platform/access/actor.ts';
import type { Context } from '../../../platform/context/context.ts';
import { ApiError } from '../../../platform/errors/errors.ts';
import { accountPage } from '../../../platform/http/pages/account-page.ts';
import { cookieIn, setCookie } from '../../../platform/http/session-cookie.ts';
import { seeOther, type WebResponse } from '../../../platform/http/web-route.ts';
import { forgetRequestCache } from '../../../platform/reads/request-cache.ts';
import type { StartedSession } from '../sessions/index.ts';
import { accountHtml } from './page.ts';

/** The path to go on to after a sign-in: only pages of the application and of the account are followed. */
export function ownPath(next: string, publicUrl: string): string {
  const { origin, pathname, search, hash } = URL.parse(next, publicUrl) ?? new URL(publicUrl);
  const isOwn = origin === new URL(publicUrl).origin && /^\/(?:app|account)(?:\/|$)/.test(pathname);
  return isOwn ? `${pathname}${search}${hash}` : '/app';
}

/** The header that gives a browser its session. */
export const sessionCookie = ({ services: { config } }: Context, { secret, maxAgeSeconds }: StartedSession) => ({
  'set-cookie': setCookie('session', secret, maxAgeSeconds, config),
});

/** The secret that binds a sign-in to the browser which has begun it (`signInCookie`). */
export const browserIn = ({ services: { config } }: Context, request: FastifyRequest): string | undefined =>
  cookieIn('sign_in', request, config);

/**
 * Answers a form of the account page, which shows the error if there is one. Callers without a session are sent there
 * to sign in.
 */
export async function accountResponse(ctx: Context, act: () => Promise<WebResponse>): Promise<WebResponse> {
  if (userIdOf(ctx.actor) === undefined) return seeOther('/account');
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    forgetRequestCache(ctx);
    return accountPage('Account', await accountHtml(ctx, { alert: error.message }), error.status);
  }
}
