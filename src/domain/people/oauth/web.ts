import type { FastifyRequest } from 'fastify';
import { provenAccountOf, userIdOf } from '../../../platform/access/actor.ts';
import { API_PATHS } from '../../../platform/access/audiences.ts';
import type { Context } from '../../../platform/context/context.ts';
import type { Services } from '../../../platform/context/services.ts';
import { ApiError, unauthenticated } from '../../../platform/errors/errors.ts';
import { accountPage } from '../../../platform/http/pages/account-page.ts';
import {
  formOf,
  rejectForeignForm,
  seeOther,
  type WebAnswer,
  type WebRoute,
} from '../../../platform/http/web-route.ts';
import { RateLimiter } from '../../../platform/rate-limit/rate-limiter.ts';
import { addressesOf, loadUser } from '../users/index.ts';
import { answerOf, copyOf } from './answer.ts';
import { CONSENT, OAUTH } from './authorization-server.ts';
import { consentPage, endedPage, notProvenPage, type Page } from './consent-page.ts';
import { type ConsentRequest, consentRequest, decided } from './consent-request.ts';
import { errorHtml, type OAuthError } from './error-page.ts';
import { grantAccess } from './grant-access.ts';
import { RESOURCE_METADATA, resourceMetadata, SERVER_METADATA, serverMetadata } from './metadata.ts';
import { revokeOAuthGrant } from './revoke-oauth-grant.ts';

const MAX_REGISTRATION_BYTES = 8_192;
/** Registrations from one address in a minute. */
const REGISTRATIONS = 20;

/** The authorization server, its metadata, and the pages for the people whom it asks. */
export const oauthRoutes: WebRoute[] = [
  ...metadataAt(SERVER_METADATA, serverMetadata),
  ...API_PATHS.flatMap((api) => metadataAt(SERVER_METADATA + api, serverMetadata)),
  ...(['', ...API_PATHS] as const).flatMap((api) =>
    metadataAt(RESOURCE_METADATA + api, (publicUrl) => resourceMetadata(publicUrl, api)),
  ),
  { method: 'GET', path: OAUTH.authorize, ignoresCaller: true, handle: authorize },
  { method: 'GET', path: `${OAUTH.authorize}/:uid`, ignoresCaller: true, handle: answer },
  ...[OAUTH.token, OAUTH.revoke, OAUTH.introspect].map(
    (path): WebRoute => ({ method: 'POST', path, ignoresCaller: true, handle: answer }),
  ),
  {
    method: 'POST',
    path: OAUTH.register,
    ignoresCaller: true,
    maxBytes: MAX_REGISTRATION_BYTES,
    handle: register,
  },
  { method: 'GET', path: `${CONSENT}/:uid`, handle: showConsent },
  { method: 'POST', path: `${CONSENT}/:uid`, handle: consent },
  { method: 'POST', path: '/account/grants/revoke', handle: revoke },
];

function metadataAt(path: string, metadata: (publicUrl: string) => object): WebRoute[] {
  const headers = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'public, max-age=300' };
  const handle = async ({ services }: Context): Promise<WebAnswer> => ({
    status: 200,
    headers,
    body: JSON.stringify(metadata(services.config.publicUrl)),
  });
  return [{ method: 'GET', path, ignoresCaller: true, handle }];
}

function searchOf({ raw: { url = '' } }: FastifyRequest): string {
  const start = url.indexOf('?');
  return start === -1 ? '' : url.slice(start);
}

async function webAnswer(services: Services, request: FastifyRequest, search: string): Promise<WebAnswer> {
  const { shown, ...answered } = await answerOf(services, request, search);
  return shown === undefined ? answered : errorPage(shown, answered.status);
}

const errorPage = (error: OAuthError, status = 400) => accountPage('Not connected', errorHtml(error), status);

/** Browsers check the redirects that follow a form, too (Content Security Policy Level 3, 6.4.1). */
function answerWith({ title, html, status, redirectUri }: Page): WebAnswer {
  const page = accountPage(title, html, status);
  if (redirectUri === undefined) return page;
  const { protocol, origin } = new URL(redirectUri);
  const target = protocol === 'https:' || protocol === 'http:' ? origin : protocol;
  const policy = String(page.headers['content-security-policy']);
  const headers = { 'content-security-policy': policy.replace("form-action 'self'", `form-action 'self' ${target}`) };
  return { ...page, headers: { ...page.headers, ...headers } };
}

function answer({ services }: Context, request: FastifyRequest): Promise<WebAnswer> {
  return webAnswer(services, request, searchOf(request));
}

/** Every token can read, so that requests without a scope ask for that. */
async function authorize({ services }: Context, request: FastifyRequest): Promise<WebAnswer> {
  const query = new URLSearchParams(searchOf(request));
  if (query.has('response_mode') && query.get('response_mode') !== 'query')
    return errorPage({ error: 'invalid_request', error_description: 'response_mode must be query' });
  const scopes = query.getAll('scope');
  if (scopes.length <= 1) {
    const asked = (scopes[0] ?? '').split(' ').filter(Boolean);
    query.set('scope', [...new Set(['read', ...asked])].join(' '));
  }
  return webAnswer(services, request, `?${query}`);
}

const limiters = new WeakMap<Services, RateLimiter>();

/** Clients register without a token, so that their number is limited. */
async function register(ctx: Context, request: FastifyRequest): Promise<WebAnswer> {
  const { services } = ctx;
  const limiter = limiters.get(services) ?? new RateLimiter(services, REGISTRATIONS);
  limiters.set(services, limiter);
  const { isOver, resetAt } = await limiter.take(`oauth registration, ${ctx.address ?? ''}`);
  if (isOver) {
    const seconds = Math.max(1, Math.ceil((resetAt - services.clock().getTime()) / 1_000));
    const message = `More than ${REGISTRATIONS} applications were registered from this address within a minute. Try again in ${seconds} seconds.`;
    throw new ApiError('RATE_LIMITED', message, [], { retryAfterSeconds: seconds });
  }
  return answer(ctx, request);
}

const uidOf = ({ params }: FastifyRequest) => (params as { uid: string }).uid; // of the route

type Asked = { request: ConsentRequest; userId: string } | { refusal: WebAnswer };

/** The request that the page is about, and the account that the session proves. */
async function askedOf({ actor, services }: Context, request: FastifyRequest): Promise<Asked> {
  const uid = uidOf(request);
  const found = await consentRequest(services, copyOf(request, '', services.config.publicUrl), uid);
  if (!found) return { refusal: answerWith(endedPage()) };
  if (userIdOf(actor) === undefined)
    return { refusal: seeOther(`/account?next=${encodeURIComponent(`${CONSENT}/${uid}`)}`) };
  const userId = provenAccountOf(actor);
  return userId === undefined ? { refusal: answerWith(notProvenPage()) } : { request: found, userId };
}

async function showConsent(ctx: Context, request: FastifyRequest): Promise<WebAnswer> {
  const asked = await askedOf(ctx, request);
  if ('refusal' in asked) return asked.refusal;
  return pageOf(ctx, request, asked.request, asked.userId);
}

async function pageOf(ctx: Context, request: FastifyRequest, asked: ConsentRequest, userId: string) {
  const [user, addresses] = await Promise.all([loadUser(ctx, userId), addressesOf(ctx, userId)]);
  const account = { userId, name: user?.displayName ?? '', email: addresses?.email ?? null };
  return answerWith(consentPage(`${CONSENT}/${uidOf(request)}`, asked, account));
}

async function consent(ctx: Context, request: FastifyRequest): Promise<WebAnswer> {
  const { services } = ctx;
  rejectForeignForm(request, services.config);
  const form = formOf(request);
  const asked = await askedOf(ctx, request);
  if ('refusal' in asked) return asked.refusal;
  const { request: wanted, userId } = asked;
  // Another person has signed in since the page was shown.
  if (form.account !== userId) return pageOf(ctx, request, wanted, userId);
  const copy = copyOf(request, '', services.config.publicUrl);
  if (form.decision !== 'allow') return seeOther(await decided(services, copy, 'denied'));
  const scopes = wanted.scopes.filter((scope) => scope === 'read' || form[`scope_${scope}`] === 'yes');
  const grantId = await grantAccess(ctx, userId, { ...wanted, scopes });
  return seeOther(await decided(services, copy, { userId, grantId }));
}

async function revoke(ctx: Context, request: FastifyRequest): Promise<WebAnswer> {
  rejectForeignForm(request, ctx.services.config);
  if (userIdOf(ctx.actor) === undefined) throw unauthenticated();
  const { oauthGrantId = '' } = formOf(request);
  await revokeOAuthGrant(ctx, { oauthGrantId });
  return seeOther('/account');
}
