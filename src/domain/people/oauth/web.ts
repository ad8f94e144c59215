import type { FastifyRequest } from 'fastify';
import { API_PATHS, audienceNamed } from '../../../platform/access/audiences.ts';
import type { Context } from '../../../platform/context/context.ts';
import type { Services } from '../../../platform/context/services.ts';
import type { WebResponse, WebRoute } from '../../../platform/http/web-route.ts';
import { readMetadata } from './client-metadata.ts';
import { refusedPage } from './consent-page.ts';
import { POLL_SECONDS, recordPoll } from './device-request.ts';
import { countAgainstLimit } from './limits.ts';
import { RESOURCE_METADATA, resourceMetadata, SERVER_METADATA, serverMetadata } from './metadata.ts';
import { responseOf, type ServerRequest } from './response.ts';
import { CONSENT, DEVICE_GRANT, OAUTH } from './settings.ts';
import { consentRoutes } from './web-consent.ts';
import { deviceRoutes } from './web-device.ts';
import { errorPage, responseWith } from './web-responses.ts';

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
  { method: 'POST', path: OAUTH.device, ignoresCaller: true, handle: device },
  ...consentRoutes,
  ...deviceRoutes,
];

function metadataAt(path: string, metadata: (publicUrl: string) => object): WebRoute[] {
  const headers = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'public, max-age=300' };
  const handle = async ({ services }: Context): Promise<WebResponse> => ({
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

const asReceived = (request: FastifyRequest, address = ''): ServerRequest => ({
  raw: request.raw,
  body: request.body,
  search: searchOf(request),
  address,
});

async function webResponse(services: Services, request: ServerRequest): Promise<WebResponse> {
  const { pageError, ...response } = await responseOf(services, request);
  return pageError === undefined ? response : errorPage(pageError, response.status);
}

function answer({ services, address }: Context, request: FastifyRequest): Promise<WebResponse> {
  return webResponse(services, asReceived(request, address));
}

/** Every token can read, so that requests without a scope ask for that. */
function addReading(fields: URLSearchParams): void {
  const scopes = fields.getAll('scope');
  if (scopes.length > 1) return;
  const requestedScopes = (scopes[0] ?? '').split(' ').filter(Boolean);
  fields.set('scope', [...new Set(['read', ...requestedScopes])].join(' '));
}

async function authorize({ services, address }: Context, request: FastifyRequest): Promise<WebResponse> {
  await countAgainstLimit(services, 'authorization', address ?? '');
  const query = new URLSearchParams(searchOf(request));
  if (query.has('response_mode') && query.get('response_mode') !== 'query')
    return errorPage({ error: 'invalid_request', error_description: 'response_mode must be query' });
  if ((query.get('client_id') ?? '').length > MAX_CLIENT_ID)
    return errorPage({
      error: 'invalid_client',
      error_description: `client_id must have ${MAX_CLIENT_ID} characters at most`,
    });
  addReading(query);
  nameAudiences(query, services);
  const response = await webResponse(services, { ...asReceived(request, address), search: `?${query}` });
  const { location } = response.headers;
  const isElsewhere = typeof location === 'string' && !location.startsWith(`${CONSENT}/`);
  return isElsewhere ? responseWith(refusedPage(location)) : response;
}

/**
 * Resources by the names that tokens are bound to, since the library compares them as texts. Returns those that this
 * service does not have.
 */
function nameAudiences(fields: URLSearchParams, { config }: Services): string[] {
  const resources = fields.getAll('resource');
  const named = resources.map((resource) => audienceNamed(config.publicUrl, resource));
  fields.delete('resource');
  for (const [i, audience] of named.entries()) fields.append('resource', audience ?? resources[i] ?? '');
  return resources.filter((_, i) => named[i] === undefined);
}

/** Tokens. An unknown resource is refused before the library has used up the code or refresh token. */
async function tokens({ services, address }: Context, request: FastifyRequest): Promise<WebResponse> {
  await countAgainstLimit(services, 'token', address ?? '');
  if (!(request.body instanceof URLSearchParams)) return webResponse(services, asReceived(request, address));
  const body = new URLSearchParams(request.body);
  const [unknown] = nameAudiences(body, services);
  if (unknown !== undefined)
    return oauthError('invalid_target', `${unknown.slice(0, MAX_CLIENT_ID)} is not a resource of this service`);
  if (body.get('grant_type') === DEVICE_GRANT && !(await recordPoll(services, body.get('device_code') ?? '')))
    return oauthError('slow_down', `Ask every ${POLL_SECONDS} seconds at most, and from now on 5 seconds less often`);
  return webResponse(services, { ...asReceived(request, address), body });
}

/** A device asks for a code (RFC 8628, 3.1). The response says how often it can ask for tokens. */
async function device({ services, address }: Context, request: FastifyRequest): Promise<WebResponse> {
  await countAgainstLimit(services, 'device', address ?? '');
  if (!(request.body instanceof URLSearchParams)) return webResponse(services, asReceived(request, address));
  const body = new URLSearchParams(request.body);
  addReading(body);
  nameAudiences(body, services);
  const response = await webResponse(services, { ...asReceived(request, address), body });
  if (response.status !== 200) return response;
  const fields = JSON.parse(String(response.body)) as object; // as the library writes it
  return { ...response, body: JSON.stringify({ ...fields, interval: POLL_SECONDS }) };
}

const oauthError = (error: string, description: string): WebResponse => ({
  status: 400,
  headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' },
  body: JSON.stringify({ error, error_description: description }),
});

/** Clients register without a token, so that their number is limited. */
async function register({ services, address }: Context, request: FastifyRequest): Promise<WebResponse> {
  await countAgainstLimit(services, 'registration', address ?? '');
  const read = readMetadata(request.body);
  if ('fault' in read) return oauthError('invalid_client_metadata', read.fault);
  const { client_id: _, ...body } = read.metadata;
  return webResponse(services, { ...asReceived(request, address), body });
}
