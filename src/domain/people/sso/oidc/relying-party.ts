import { hash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { createRemoteJWKSet, type JWTVerifyGetKey, customFetch as jwksFetch } from 'jose';
import { LRUCache } from 'lru-cache';
import type { Configuration } from 'openid-client';
import type { Services } from '../../../../platform/context/services.ts';
import type { GuardedFetch } from '../../../../platform/outbound/guarded-fetch.ts';
import { OutboundError } from '../../../../platform/outbound/outbound-error.ts';
import { SignInError } from '../sign-in-error.ts';

/** Clocks of a provider and this service may differ by this much. */
export const CLOCK_SKEW_SECONDS = 30;

/** Of a response of a provider: metadata, keys, tokens, claims. */
const MAX_RESPONSE_BYTES = 262_144;

/** Of one request to a provider. A sign-in sends up to four, within the deadline of the browser's request. */
const REQUEST_MS = 6_000;

/** Metadata is read again after this time, so that a provider can change its endpoints. */
const DISCOVERED_MS = 300_000;
const MAX_DISCOVERED = 200;

/** What identifies this service at a provider. */
export interface ClientSettings {
  issuer: string;
  clientId: string;
  clientSecret: string;
}

/** This service as a relying party of a provider, with the metadata of the provider. */
export interface RelyingParty {
  library: Library;
  configuration: Configuration;
  /** The keys that the provider signs with. */
  keys: JWTVerifyGetKey;
}

type Library = typeof import('openid-client');

/** Loaded for the first sign-in. */
const library = (): Promise<Library> => import('openid-client');

const discovered = new WeakMap<Services, LRUCache<string, RelyingParty>>();

/** Reads the metadata of a provider (OpenID Connect Discovery 1.0), or takes what was read lately. Throws `SignInError`. */
export async function relyingParty(services: Services, settings: ClientSettings): Promise<RelyingParty> {
  const known = discovered.get(services) ?? new LRUCache({ max: MAX_DISCOVERED, ttl: DISCOVERED_MS });
  discovered.set(services, known);
  const { issuer, clientId, clientSecret } = settings;
  const key = JSON.stringify([issuer, clientId, hash('sha256', clientSecret)]);
  const recent = known.get(key);
  if (recent) return recent;
  const found = await orSignInError(() => discover(services, settings));
  known.set(key, found);
  return found;
}

async function discover(
  { fetch, config }: Services,
  { issuer, clientId, clientSecret }: ClientSettings,
): Promise<RelyingParty> {
  const isPlain = issuer.startsWith('http:');
  if (isPlain && !config.allowPrivateNetwork)
    throw new SignInError('The issuer of the identity provider must begin with https://.');
  const openid = await library();
  const send = sendGuarded(fetch);
  const execute = isPlain ? [openid.allowInsecureRequests] : [];
  const options = { [openid.customFetch]: send, execute };
  const first = await openid.discovery(new URL(issuer), clientId, undefined, openid.None(), options);
  const metadata = first.serverMetadata();
  // `client_secret_basic` is the default (OpenID Connect Discovery 1.0, 3).
  const { token_endpoint_auth_methods_supported: methods = ['client_secret_basic'] } = metadata;
  const secret = methods.includes('client_secret_basic') ? openid.ClientSecretBasic : openid.ClientSecretPost;
  const tolerance = { [openid.clockTolerance]: CLOCK_SKEW_SECONDS };
  const configuration = new openid.Configuration({ ...metadata }, clientId, tolerance, secret(clientSecret));
  configuration[openid.customFetch] = send;
  for (const set of execute) set(configuration);
  // Also of tokens that come from the provider itself.
  openid.enableNonRepudiationChecks(configuration);
  const { jwks_uri: address = '' } = metadata;
  if (!URL.canParse(address) || !(isPlain || address.startsWith('https:')))
    throw new SignInError('The metadata of the identity provider does not name the address of its keys.');
  const keys = createRemoteJWKSet(new URL(address), {
    [jwksFetch]: (url, { headers, method }) =>
      send(url, { method, headers: Object.fromEntries(headers), body: undefined }),
  });
  return { library: openid, configuration, keys };
}

interface Sent {
  method: string;
  headers: Record<string, string>;
  body: unknown;
}

/** Sends requests with the guard of all outbound requests, without following redirects. */
const sendGuarded =
  (fetch: GuardedFetch) =>
  async (url: string, { method, headers, body }: Sent): Promise<Response> => {
    const sent = body instanceof URLSearchParams ? body.toString() : body;
    const answer = await fetch({
      url,
      method,
      headers,
      ...(typeof sent === 'string' && { body: sent }),
      maxBytes: MAX_RESPONSE_BYTES,
      timeoutMs: REQUEST_MS,
      followRedirects: false,
    });
    const { status } = answer;
    const bytes = new Uint8Array(await buffer(answer.body));
    if (status < 200 || status > 599) throw new OutboundError('FETCH_ERROR', `The server answered with ${status}.`);
    const { 'content-type': type, 'www-authenticate': challenge } = answer.headers;
    return new Response(bytes.length === 0 ? null : bytes, {
      status,
      headers: { ...(type && { 'content-type': type }), ...(challenge && { 'www-authenticate': challenge }) },
    });
  };

const MAX_REASON = 300;

/** Converts the errors of the library, and of requests to the provider, to `SignInError`. */
export async function orSignInError<Value>(act: () => Promise<Value>): Promise<Value> {
  try {
    return await act();
  } catch (error) {
    throw (await signInError(error)) ?? error;
  }
}

async function signInError(error: unknown): Promise<SignInError | undefined> {
  if (error instanceof SignInError) return error;
  const { AuthorizationResponseError, ResponseBodyError, WWWAuthenticateChallengeError, ClientError } = await library();
  const causes = causesOf(error);
  const outbound = causes.find((cause) => cause instanceof OutboundError);
  if (outbound) return new SignInError(`The identity provider could not be reached: ${outbound.message}`);
  if (error instanceof AuthorizationResponseError) {
    const { error: code, error_description: description = '' } = error;
    return new SignInError(`The identity provider refused the sign-in: ${shortened(`${code} ${description}`)}`);
  }
  if (error instanceof ResponseBodyError)
    return new SignInError(`The identity provider refused this service: ${shortened(error.error)}`);
  if (error instanceof WWWAuthenticateChallengeError)
    return new SignInError('The identity provider refused this service. Check its client ID and client secret.');
  const isOfLibrary = causes.some((cause) => cause instanceof ClientError || isCoded(cause));
  const reason = causes.at(-1)?.message ?? '';
  return isOfLibrary
    ? new SignInError(`The response of the identity provider is not valid: ${shortened(reason)}`)
    : undefined;
}

/** An error with its causes, outermost first. */
function causesOf(error: unknown): Error[] {
  const found: Error[] = [];
  for (let cause = error; cause instanceof Error && !found.includes(cause); cause = cause.cause) found.push(cause);
  return found;
}

const isCoded = (error: Error): boolean =>
  'code' in error && typeof error.code === 'string' && error.code.startsWith('OAUTH_');

const shortened = (text: string) => text.trim().slice(0, MAX_REASON);
