import type { FastifyRequest } from 'fastify';
import { escapeHtml } from '../../../lib/document/markdown/entities.ts';
import { accountPage } from '../../../platform/http/pages/account-page.ts';
import type { WebResponse } from '../../../platform/http/web-route.ts';
import { SignInError } from './sign-in-error.ts';

/** The query string, without its question mark. */
export const queryStringOf = ({ url }: FastifyRequest): string => url.split('?').slice(1).join('?');

/** Answers with a page that has the reason if a sign-in is refused. */
export async function withSignInErrorPage(act: () => Promise<WebResponse>): Promise<WebResponse> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof SignInError)) throw error;
    const body = `<h1>Sign-in refused</h1>
<p role="alert">${escapeHtml(error.message)}</p>
<p>Start again at the sign-in page of your organization. If this happens again, tell the administrator of your organization.</p>
<p><a href="/account">Account</a></p>`;
    return accountPage('Sign-in refused', body, 403);
  }
}
