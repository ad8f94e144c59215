import type { FastifyRequest } from 'fastify';
import type { Context } from '../../../platform/context/context.ts';
import { ApiError } from '../../../platform/errors/errors.ts';
import { accountPage } from '../../../platform/http/pages/account-page.ts';
import { cookieIn, setCookie, signInCookie } from '../../../platform/http/session-cookie.ts';
import {
  formOf,
  queryParameter,
  rejectForeignForm,
  seeOther,
  type WebResponse,
  type WebRoute,
} from '../../../platform/http/web-route.ts';
import { isId } from '../../../platform/ids/ids.ts';
import { acceptResponse } from './accept-response.ts';
import { type FinishedSignIn, finishSignIn, type SignInByCode } from './finish-sign-in.ts';
import { mailProof } from './mail-proof.ts';
import { mailedHtml, proofHtml, proofLinkPage } from './proof-page.ts';
import { NotProven, proveAccount, proveByMail, requestedProof } from './prove-account.ts';
import { metadataOf } from './service-provider.ts';
import { startSignIn } from './start-sign-in.ts';
import { withSignInErrorPage } from './web-responses.ts';

/** A response in base64, with the rest of its form. */
const MAX_RESPONSE_BYTES = 250_000;

const SAML = '/sso/saml/:samlProviderId';

/**
 * The service provider of SAML 2.0 (Web Browser SSO Profile), for browsers, and the end of sign-ins of both protocols.
 */
export const signInRoutes: WebRoute[] = [
  { method: 'GET', path: `${SAML}/metadata`, handle: showMetadata },
  { method: 'GET', path: `${SAML}/start`, handle: start },
  { method: 'POST', path: `${SAML}/acs`, maxBytes: MAX_RESPONSE_BYTES, handle: consumeAssertion },
  { method: 'GET', path: '/sso/finish', handle: finish },
  { method: 'POST', path: '/sso/finish', handle: prove },
  { method: 'GET', path: '/sso/link', handle: showLink },
  { method: 'POST', path: '/sso/link', handle: confirmLink },
];

const providerIn = ({ params }: FastifyRequest) => (params as { samlProviderId: string }).samlProviderId; // of the route

/** Whether there is such a provider is not checked: the metadata consists of its URL. */
async function showMetadata({ services }: Context, request: FastifyRequest): Promise<WebResponse> {
  const id = providerIn(request);
  if (!isId('saml', id)) throw new ApiError('NOT_FOUND', 'Not a valid URL of a SAML provider.');
  const headers = { 'content-type': 'application/samlmetadata+xml' };
  return { status: 200, headers, body: await metadataOf(services.config.publicUrl, id) };
}

async function start(ctx: Context, request: FastifyRequest): Promise<WebResponse> {
  const { config } = ctx.services;
  const { redirectTo, browserSecret } = await startSignIn(ctx, {
    providerId: providerIn(request),
    returnTo: queryParameter(request, 'returnTo'),
    browserSecret: cookieIn('sign_in', request, config),
  });
  return seeOther(redirectTo, signInCookie(browserSecret, config));
}

/**
 * The form comes from a page of the identity provider, so that browsers send no cookies with it. The session starts
 * after a redirect, with the cookie of the browser that started the sign-in. `RelayState` is ignored.
 */
function consumeAssertion(ctx: Context, request: FastifyRequest): Promise<WebResponse> {
  return withSignInErrorPage(async () => {
    const { SAMLResponse = '' } = formOf(request);
    const code = await acceptResponse(ctx, providerIn(request), SAMLResponse);
    return seeOther(`/sso/finish?code=${code}`);
  });
}

function finish(ctx: Context, request: FastifyRequest): Promise<WebResponse> {
  return withSignInErrorPage(async () => {
    const name = nameIn(ctx, request, queryParameter(request, 'code'));
    const finished = await finishSignIn(ctx, name);
    return finished ? signedIn(ctx, finished) : proofPage(ctx, name);
  });
}

const nameIn = ({ services: { config } }: Context, request: FastifyRequest, code = ''): SignInByCode => ({
  code,
  browserSecret: cookieIn('sign_in', request, config),
});

const signedIn = (
  { services: { config } }: Context,
  { secret, maxAgeSeconds, returnTo }: FinishedSignIn,
): WebResponse => seeOther(returnTo, { 'set-cookie': setCookie('session', secret, maxAgeSeconds, config) });

const TITLE = 'Is this your account?';

/** Asks for the proof of the account whose address the identity provider has asserted. */
async function proofPage(ctx: Context, name: SignInByCode, alert?: string): Promise<WebResponse> {
  const sendsMail = ctx.services.mailer !== undefined;
  const body = proofHtml(await requestedProof(ctx, name), { code: name.code, sendsMail, alert });
  return accountPage(TITLE, body, alert === undefined ? 200 : 403);
}

/** Requests of the forms of that page. Other sites must not link an account of their visitors. */
function prove(ctx: Context, request: FastifyRequest): Promise<WebResponse> {
  const { config } = ctx.services;
  rejectForeignForm(request, config);
  const { code, proof = '', token = '' } = formOf(request);
  const name = nameIn(ctx, request, code);
  if (proof === 'mail') return sendLink(ctx, name);
  const proofs = { session: { kind: 'session' }, token: { kind: 'token', token }, new: { kind: 'new' } } as const;
  const chosen = Object.hasOwn(proofs, proof) ? proofs[proof as keyof typeof proofs] : undefined; // as checked
  if (!chosen) throw new ApiError('BAD_USER_INPUT', 'The field "proof" must be session, token, mail or new.');
  return withSignInErrorPage(async () => {
    try {
      return signedIn(ctx, await proveAccount(ctx, name, chosen));
    } catch (error) {
      if (!(error instanceof NotProven)) throw error;
      return proofPage(
        ctx,
        name,
        'This does not prove that the account is yours. SSO tokens and sessions are not accepted as proof.',
      );
    }
  });
}

const sendLink = (ctx: Context, name: SignInByCode): Promise<WebResponse> =>
  withSignInErrorPage(async () => {
    const { email } = await requestedProof(ctx, name);
    await mailProof(ctx, name);
    const page = accountPage('Open the link in your email', mailedHtml(email));
    return { ...page, headers: { ...page.headers, ...signInCookie(name.browserSecret ?? '', ctx.services.config) } };
  });

async function showLink(_ctx: Context, request: FastifyRequest): Promise<WebResponse> {
  return accountPage('Continue with your account', proofLinkPage(queryParameter(request, 'secret') ?? ''));
}

/** The secret proves the mailbox, the cookie that the same person has started the sign-in. */
function confirmLink(ctx: Context, request: FastifyRequest): Promise<WebResponse> {
  const { config } = ctx.services;
  rejectForeignForm(request, config);
  const { secret: mailSecret = '' } = formOf(request);
  const browserSecret = cookieIn('sign_in', request, config);
  return withSignInErrorPage(async () => signedIn(ctx, await proveByMail(ctx, { mailSecret, browserSecret })));
}
