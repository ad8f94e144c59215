import type { FastifyRequest } from 'fastify';
import { provenAccountOf, userIdOf } from '../../../platform/access/actor.ts';
import { API_PATHS, audienceNamed } from '../../../platform/access/audiences.ts';
import type { Context } from '../../../platform/context/context.ts';
import type { Services } from '../../../platform/context/services.ts';
import { accountPage } from '../../../platform/http/pages/account-page.ts';
import {
  formOf,
  rejectForeignForm,
  seeOther,
  type WebAnswer,
  type WebRoute,
} from '../../../platform/http/web-route.ts';
import { addressesOf, loadUser } from '../users/index.ts';
import { answerOf, copyOf } from './answer.ts';
import { CONSENT, GRANT_SECONDS, OAUTH } from './authorization-server.ts';
import { readMetadata } from './client-metadata.ts';
import {
  type ConsentView,
  consentPage,
  endedPage,
  goOnPage,
  notProvenPage,
  type Page,
  refusedPage,
} from './consent-page.ts';
import { type ConsentRequest, consentRequest, decided } from './consent-request.ts';
import { errorHtml, type OAuthError } from './error-page.ts';
import { grantAccess } from './grant-access.ts';
import { takeTurn } from './limits.ts';
import { chosenReach, type ReachChoice, reachChoice } from './reach-choice.ts';
import { RESOURCE_METADATA, resourceMetadata, SERVER_METADATA, serverMetadata } from './metadata.ts';

const MAX_REGISTRATION_BYTES = 8_192;
const MAX_CLIENT_ID = 2_000;

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
    (path): WebRoute => ({ method: 'POST', path, ignoresCaller: true, handle: tokens }),
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

async function webAnswer(
  services: Services,
  request: Pick<FastifyRequest, 'raw' | 'body'>,
  search: string,
): Promise<WebAnswer> {
  const { shown, ...answered } = await answerOf(services, request, search);
  return shown === undefined ? answered : errorPage(shown, answered.status);
}

const errorPage = (error: OAuthError, status = 400) => accountPage('Not connected', errorHtml(error), status);

function answerWith({ title, html, status, goesTo }: Page): WebAnswer {
  const page = accountPage(title, html, status);
  return goesTo === undefined ? page : { ...page, headers: { ...page.headers, refresh: `0;url=${goesTo}` } };
}

function answer({ services }: Context, request: FastifyRequest): Promise<WebAnswer> {
  return webAnswer(services, request, searchOf(request));
}

/** Every token can read, so that requests without a scope ask for that. */
async function authorize({ services, address }: Context, request: FastifyRequest): Promise<WebAnswer> {
  await takeTurn(services, 'authorization', address ?? '');
  const query = new URLSearchParams(searchOf(request));
  if (query.has('response_mode') && query.get('response_mode') !== 'query')
    return errorPage({ error: 'invalid_request', error_description: 'response_mode must be query' });
  if ((query.get('client_id') ?? '').length > MAX_CLIENT_ID)
    return errorPage({
      error: 'invalid_client',
      error_description: `client_id must have ${MAX_CLIENT_ID} characters at most`,
    });
  const scopes = query.getAll('scope');
  if (scopes.length <= 1) {
    const asked = (scopes[0] ?? '').split(' ').filter(Boolean);
    query.set('scope', [...new Set(['read', ...asked])].join(' '));
  }
  nameAudiences(query, services);
  const answered = await webAnswer(services, request, `?${query}`);
  const { location } = answered.headers;
  const isElsewhere = typeof location === 'string' && !location.startsWith(`${CONSENT}/`);
  return isElsewhere ? answerWith(refusedPage(location)) : answered;
}

/**
 * Resources by the names that tokens are bound to, since the library compares them as texts. Returns those that this service
 * does not have.
 */
function nameAudiences(fields: URLSearchParams, { config }: Services): string[] {
  const asked = fields.getAll('resource');
  const named = asked.map((resource) => audienceNamed(config.publicUrl, resource));
  fields.delete('resource');
  for (const [i, audience] of named.entries()) fields.append('resource', audience ?? asked[i] ?? '');
  return asked.filter((_, i) => named[i] === undefined);
}

/** Tokens. An unknown resource is refused before the library has used up the code or refresh token. */
async function tokens({ services, address }: Context, request: FastifyRequest): Promise<WebAnswer> {
  await takeTurn(services, 'token', address ?? '');
  if (!(request.body instanceof URLSearchParams)) return webAnswer(services, request, searchOf(request));
  const body = new URLSearchParams(request.body);
  const [unknown] = nameAudiences(body, services);
  if (unknown !== undefined)
    return oauthError('invalid_target', `${unknown.slice(0, MAX_CLIENT_ID)} is not a resource of this service`);
  return webAnswer(services, { raw: request.raw, body }, searchOf(request));
}

const oauthError = (error: string, description: string): WebAnswer => ({
  status: 400,
  headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' },
  body: JSON.stringify({ error, error_description: description }),
});

/** Clients register without a token, so that their number is limited. */
async function register({ services, address }: Context, request: FastifyRequest): Promise<WebAnswer> {
  await takeTurn(services, 'registration', address ?? '');
  await takeTurn(services, 'allRegistrations', '');
  const read = readMetadata(request.body);
  if ('fault' in read) return oauthError('invalid_client_metadata', read.fault);
  const { client_id: _, ...body } = read.metadata;
  return webAnswer(services, { raw: request.raw, body }, searchOf(request));
}

const uidOf = ({ params }: FastifyRequest) => (params as { uid: string }).uid; // of the route

/** A request for access, and the user who can decide about it. */
interface Decidable {
  request: ConsentRequest;
  userId: string;
}

type Asked = Decidable | { refusal: WebAnswer };

/** The request that the page is about, and the account that the session proves. */
async function askedOf({ actor, services }: Context, request: FastifyRequest): Promise<Asked> {
  const uid = uidOf(request);
  const found = await consentRequest(services, copyOf(request, '', services.config.publicUrl), uid);
  if (found === 'ended') return { refusal: answerWith(endedPage()) };
  if ('error' in found) return { refusal: errorPage(found) };
  if (userIdOf(actor) === undefined)
    return { refusal: seeOther(`/account?next=${encodeURIComponent(`${CONSENT}/${uid}`)}`) };
  const userId = provenAccountOf(actor);
  return userId === undefined ? { refusal: answerWith(notProvenPage()) } : { request: found, userId };
}

async function showConsent(ctx: Context, request: FastifyRequest): Promise<WebAnswer> {
  const asked = await askedOf(ctx, request);
  if ('refusal' in asked) return asked.refusal;
  return pageOf(ctx, request, asked);
}

async function pageOf(
  ctx: Context,
  request: FastifyRequest,
  { request: asked, userId }: Decidable,
  { reach, rejected }: { reach?: ReachChoice; rejected?: ConsentView['rejected'] } = {},
): Promise<WebAnswer> {
  const [user, addresses] = await Promise.all([loadUser(ctx, userId), addressesOf(ctx, userId)]);
  const account = { userId, name: user?.displayName ?? '', email: addresses?.email ?? null };
  const until = new Date(ctx.services.clock().getTime() + GRANT_SECONDS * 1_000).toISOString().slice(0, 10);
  const view = { path: `${CONSENT}/${uidOf(request)}`, until, account, reach: reach ?? (await reachChoice(ctx)) };
  return answerWith(consentPage(asked, { ...view, rejected }));
}

async function consent(ctx: Context, request: FastifyRequest): Promise<WebAnswer> {
  const { services } = ctx;
  rejectForeignForm(request, services.config);
  const form = formOf(request);
  const asked = await askedOf(ctx, request);
  if ('refusal' in asked) return asked.refusal;
  const { request: wanted, userId } = asked;
  // Another person has signed in since the page was shown.
  if (form.account !== userId) return pageOf(ctx, request, asked);
  const copy = copyOf(request, '', services.config.publicUrl);
  if (form.decision !== 'allow') return goOn(await decided(services, copy, 'denied'));
  const scopes = wanted.scopes.filter((scope) => scope === 'read' || form[`scope_${scope}`] === 'yes');
  const reach = await reachChoice(ctx);
  const chosen = chosenReach(form, reach);
  if ('alert' in chosen) return pageOf(ctx, request, asked, { reach, rejected: { form, alert: chosen.alert } });
  const grantId = await grantAccess(ctx, userId, wanted, { ...chosen, scopes });
  return goOn(await decided(services, copy, { userId, grantId }));
}

const goOn = (path: string | undefined) => answerWith(path === undefined ? endedPage() : goOnPage(path));
