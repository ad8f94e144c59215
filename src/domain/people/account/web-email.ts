import type { FastifyRequest } from 'fastify';
import type { Context } from '../../../platform/context/context.ts';
import { ApiError } from '../../../platform/errors/errors.ts';
import { accountPage } from '../../../platform/http/pages/account-page.ts';
import { signInCookie } from '../../../platform/http/session-cookie.ts';
import {
  formOf,
  queryParameter,
  rejectForeignForm,
  seeOther,
  type WebResponse,
  type WebRoute,
} from '../../../platform/http/web-route.ts';
import {
  type EmailProof,
  isOwnLink,
  requestEmailSignIn,
  requestedAddress,
  startSessionByEmail,
} from '../sessions/index.ts';
import { codeHtml, EMAIL, elsewhereHtml, emailLinkHtml } from './email-page.ts';
import { signInHtml } from './page.ts';
import { browserIn, ownPath, sessionCookie } from './web-responses.ts';

/** The pages and forms of the sign-in by email. */
export const emailRoutes: WebRoute[] = [
  { method: 'POST', path: EMAIL.ask, handle: ask },
  { method: 'GET', path: EMAIL.code, handle: showCode },
  { method: 'POST', path: EMAIL.code, handle: enterCode },
  { method: 'GET', path: EMAIL.link, handle: showLink },
  { method: 'POST', path: EMAIL.link, handle: openLink },
];

/** The response is the same for every address. */
async function ask(ctx: Context, request: FastifyRequest): Promise<WebResponse> {
  const { config } = ctx.services;
  rejectForeignForm(request, config);
  const { email = '', next = '' } = formOf(request);
  const returnTo = ownPath(next, config.publicUrl);
  try {
    const secret = await requestEmailSignIn(ctx, { email, returnTo, browserSecret: browserIn(ctx, request) });
    return seeOther(EMAIL.code, signInCookie(secret, config));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const html = await signInHtml(ctx, undefined, { emailAlert: messageOf(error), next: returnTo });
    return accountPage('Sign in', html, error.status);
  }
}

/** What is wrong with the address. The message of an invalid input names the field as the API does. */
const messageOf = ({ issues, message }: ApiError): string =>
  issues[0] ? `The email address ${issues[0].message}.` : message;

async function showCode(ctx: Context, request: FastifyRequest): Promise<WebResponse> {
  return accountPage('Enter the code', codeHtml(await requestedAddress(ctx, browserIn(ctx, request))));
}

function enterCode(ctx: Context, request: FastifyRequest): Promise<WebResponse> {
  const { code = '' } = formOf(request);
  return signIn(ctx, request, { code });
}

async function showLink(ctx: Context, request: FastifyRequest): Promise<WebResponse> {
  const secret = queryParameter(request, 'secret') ?? '';
  if (await isOwnLink(ctx, browserIn(ctx, request), secret)) return accountPage('Sign in', emailLinkHtml(secret));
  return accountPage('Sign in', elsewhereHtml);
}

function openLink(ctx: Context, request: FastifyRequest): Promise<WebResponse> {
  const { secret = '' } = formOf(request);
  return signIn(ctx, request, { linkSecret: secret });
}

async function signIn(ctx: Context, request: FastifyRequest, proof: EmailProof): Promise<WebResponse> {
  rejectForeignForm(request, ctx.services.config);
  const browserSecret = browserIn(ctx, request);
  try {
    const { returnTo, ...session } = await startSessionByEmail(ctx, browserSecret, proof);
    return seeOther(returnTo, sessionCookie(ctx, session));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const address = await requestedAddress(ctx, browserSecret);
    return accountPage('Enter the code', codeHtml(address, error.message), error.status);
  }
}
