import type { FastifyRequest } from 'fastify';
import { escapeHtml } from '../../../lib/document/markdown/entities.ts';
import type { Context } from '../../../platform/context.ts';
import { ApiError } from '../../../platform/errors.ts';
import { accountPage } from '../../../platform/http/pages/account-page.ts';
import { cookieIn, setCookie } from '../../../platform/http/session-cookie.ts';
import { formOf, seeOther, type WebAnswer, type WebRoute } from '../../../platform/http/web-route.ts';
import { isId } from '../../../platform/ids.ts';
import { acceptResponse } from './accept-response.ts';
import { finishSignIn } from './finish-sign-in.ts';
import { SamlError } from './saml-error.ts';
import { metadataOf } from './service-provider.ts';
import { SIGN_IN_SECONDS, startSignIn } from './start-sign-in.ts';

/** A response in base64, with the rest of its form. */
const MAX_RESPONSE_BYTES = 250_000;

const SAML = '/sso/saml/:samlProviderId';

/** The service provider of SAML 2.0 (Web Browser SSO Profile), for browsers. */
export const signInRoutes: WebRoute[] = [
  { method: 'GET', path: `${SAML}/metadata`, handle: showMetadata },
  { method: 'GET', path: `${SAML}/start`, handle: start },
  { method: 'POST', path: `${SAML}/acs`, maxBytes: MAX_RESPONSE_BYTES, handle: consumeAssertion },
  { method: 'GET', path: '/sso/finish', handle: finish },
];

const providerIn = ({ params }: FastifyRequest) => (params as { samlProviderId: string }).samlProviderId; // of the route

function queryOf({ query }: FastifyRequest, name: string): string | undefined {
  const value = (query as Record<string, string | string[] | undefined>)[name]; // Fastify's query parser gives these
  return typeof value === 'string' ? value : undefined;
}

/** Whether there is such a provider is not checked: the metadata consists of its URL. */
async function showMetadata({ services }: Context, request: FastifyRequest): Promise<WebAnswer> {
  const id = providerIn(request);
  if (!isId('saml', id)) throw new ApiError('NOT_FOUND', 'Not a valid URL of a SAML provider.');
  const headers = { 'content-type': 'application/samlmetadata+xml' };
  return { status: 200, headers, body: await metadataOf(services.config.publicUrl, id) };
}

async function start(ctx: Context, request: FastifyRequest): Promise<WebAnswer> {
  const { config } = ctx.services;
  const { redirectTo, browserSecret } = await startSignIn(ctx, {
    samlProviderId: providerIn(request),
    returnTo: queryOf(request, 'returnTo'),
    browserSecret: cookieIn('sign_in', request, config),
  });
  return seeOther(redirectTo, { 'set-cookie': setCookie('sign_in', browserSecret, SIGN_IN_SECONDS, config) });
}

/**
 * The form comes from a page of the identity provider, so that browsers send no cookies with it. The session starts after
 * a redirect, with the cookie of the browser that started the sign-in. `RelayState` is ignored.
 */
function consumeAssertion(ctx: Context, request: FastifyRequest): Promise<WebAnswer> {
  return orRefuse(async () => {
    const { SAMLResponse = '' } = formOf(request);
    const code = await acceptResponse(ctx, providerIn(request), SAMLResponse);
    return seeOther(`/sso/finish?code=${code}`);
  });
}

function finish(ctx: Context, request: FastifyRequest): Promise<WebAnswer> {
  return orRefuse(async () => {
    const { config } = ctx.services;
    const code = queryOf(request, 'code') ?? '';
    const browserSecret = cookieIn('sign_in', request, config);
    const { secret, maxAgeSeconds, returnTo } = await finishSignIn(ctx, { code, browserSecret });
    return seeOther(returnTo, { 'set-cookie': setCookie('session', secret, maxAgeSeconds, config) });
  });
}

async function orRefuse(act: () => Promise<WebAnswer>): Promise<WebAnswer> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof SamlError)) throw error;
    const body = `<h1>Sign-in refused</h1>
<p role="alert">${escapeHtml(error.message)}</p>
<p>Start again at the sign-in page of your organization. If this happens again, tell the administrator of your organization.</p>
<p><a href="/account">Account</a></p>`;
    return accountPage('Sign-in refused', body, 403);
  }
}
