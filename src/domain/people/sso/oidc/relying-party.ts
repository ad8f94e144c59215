import { hash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { createRemoteJWKSet, type JWTVerifyGetKey, customFetch as jwksFetch } from 'jose';
import { LRUCache } from 'lru-cache';
import type { Configuration } from 'openid-client';
import { z } from 'zod';
import type { Context } from '../../../../platform/context/context.ts';
import type { Services } from '../../../../platform/context/services.ts';
import type { GuardedFetch } from '../../../../platform/outbound/guarded-fetch.ts';
import { OutboundError } from '../../../../platform/outbound/outbound-error.ts';
import { SharedWork } from '../../../../platform/reads/shared-work.ts';
import { SignInError } from '../sign-in-error.ts';

/** Clocks of a provider and this service may differ by this much. */
export const CLOCK_SKEW_SECONDS = 30;

/** Of metadata and of keys, which are kept. */
const MAX_DOCUMENT_BYTES = 65_536;

/** Of other responses of a provider: tokens, claims. */
const MAX_RESPONSE_BYTES = 262_144;

/** Of one request to a provider. A sign-in sends up to four, within the deadline of the browser's request. */
const REQUEST_MS = 6_000;

/** Metadata is read again after this time, so that a provider can change its endpoints. */
const DISCOVERED_MS = 300_000;
const MAX_DISCOVERED = 200;
/** For so long, a provider that is not usable is not asked again: anonymous callers begin sign-ins. */
const FAILED_MS = 15_000;

/** What identifies this service at a provider. */
export interface ClientSettings {
  issuer: string;
  clientId: string;
  clientSecret: string;
}

/** This service as a relying party of a provider, with the metadata of the provider. */
export interface OidcRelyingParty {
  library: Library;
  configuration: Configuration;
  /** The keys that the provider signs with. */
  keys: JWTVerifyGetKey;
  issuer: string;
  clientId: string;
  /** Whether the provider has a UserInfo endpoint. */
  hasUserInfo: boolean;
}

type Library = typeof import('openid-client');

/** Loaded for the first sign-in. */
const library = (): Promise<Library> => import('openid-client');

/** Providers whose metadata was read lately, or why they are not usable. */
const discovered = new WeakMap<Services, LRUCache<string, OidcRelyingParty | SignInError>>();

const discovering = new SharedWork<OidcRelyingParty>();

/**
 * Reads the metadata of a provider (OpenID Connect Discovery 1.0), or takes what was read lately. Calls at the same
 * time share the requests to the provider, which end when all callers have disconnected. Throws `SignInError`.
 */
export async function relyingParty(ctx: Context, settings: ClientSettings): Promise<OidcRelyingParty> {
  const { services } = ctx;
  const cache = discovered.get(services) ?? new LRUCache({ max: MAX_DISCOVERED, ttl: DISCOVERED_MS });
  discovered.set(services, cache);
  const { issuer, clientId, clientSecret } = settings;
  const key = JSON.stringify([issuer, clientId, hash('sha256', clientSecret)]);
  const recent = cache.get(key);
  if (recent instanceof SignInError) throw recent;
  if (recent) return recent;
  return discovering.join(ctx, key, async ({ deadline }) => {
    try {
      const party = await orSignInError(() => discover(services, settings, deadline?.signal));
      cache.set(key, party);
      return party;
    } catch (error) {
      if (!(error instanceof SignInError) || deadline?.signal.aborted) throw error;
      services.log.warn({ issuer, reason: error.message }, 'OIDC provider not usable');
      cache.set(key, error, { ttl: FAILED_MS });
      throw error;
    }
  });
}

async function discover(
  { fetch, config }: Services,
  { issuer: configuredIssuer, clientId, clientSecret }: ClientSettings,
  signal: AbortSignal | undefined,
): Promise<OidcRelyingParty> {
  const isPlain = configuredIssuer.startsWith('http:');
  if (isPlain && !config.allowPrivateNetwork)
    throw new SignInError('The issuer of the identity provider must begin with https://.');
  const send = sendGuarded(fetch);
  const metadata = await readMetadata(sendGuarded(fetch, signal), configuredIssuer);
  const { issuer, jwks_uri: keysAddress, userinfo_endpoint: userInfo } = metadata;
  if (!isPlain && !keysAddress.startsWith('https:'))
    throw new SignInError('The metadata of the identity provider is not valid: "jwks_uri" must begin with https://.');
  const openid = await library();
  // `client_secret_basic` is the default (OpenID Connect Discovery 1.0, 3).
  const { token_endpoint_auth_methods_supported: methods = ['client_secret_basic'] } = metadata;
  const secret = methods.includes('client_secret_basic') ? openid.ClientSecretBasic : openid.ClientSecretPost;
  const tolerance = { [openid.clockTolerance]: CLOCK_SKEW_SECONDS };
  const configuration = new openid.Configuration(metadata, clientId, tolerance, secret(clientSecret));
  const sendTo = async (url: string, sent: Sent) =>
    url === new URL(keysAddress).href ? readKeys(send, keysAddress) : send(url, sent);
  configuration[openid.customFetch] = sendTo;
  if (isPlain) openid.allowInsecureRequests(configuration);
  // Also of tokens that come from the provider itself.
  openid.enableNonRepudiationChecks(configuration);
  const keys = createRemoteJWKSet(new URL(keysAddress), { [jwksFetch]: () => readKeys(send, keysAddress) });
  return { library: openid, configuration, keys, issuer, clientId, hasUserInfo: userInfo !== undefined };
}

const address = z.url({ protocol: /^https?$/ }).max(2_048);

const names = z.array(z.string().max(100)).max(100);

/** The metadata that is used (OpenID Connect Discovery 1.0, 3; RFC 9207, 3). The rest is not kept. */
const metadataShape = z.object({
  issuer: address,
  authorization_endpoint: address,
  token_endpoint: address,
  jwks_uri: address,
  userinfo_endpoint: address.optional(),
  token_endpoint_auth_methods_supported: names.optional(),
  id_token_signing_alg_values_supported: names.optional(),
  authorization_response_iss_parameter_supported: z.boolean().optional(),
});

type Metadata = z.output<typeof metadataShape>;

type Send = ReturnType<typeof sendGuarded>;

const read = (send: Send, url: string) =>
  send(url, { method: 'GET', headers: { accept: 'application/json' }, body: undefined }, MAX_DOCUMENT_BYTES);

/** Reads the metadata of an issuer, which must name itself. */
async function readMetadata(send: Send, issuer: string): Promise<Metadata> {
  const url = new URL(issuer);
  url.pathname = `${url.pathname.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const metadata = await documentOf(await read(send, url.href), metadataShape, 'metadata');
  if (new URL(metadata.issuer).href !== new URL(issuer).href)
    throw new SignInError(
      `The metadata of the identity provider is not valid: its issuer is "${shortened(metadata.issuer)}".`,
    );
  return metadata;
}

const MAX_KEYS = 100;

const text = z.string().optional();

/** Public keys, with the parts that are used (RFC 7517, 4; RFC 7518, 6). */
const keysShape = z.object({
  keys: z
    .array(
      z.object({
        kty: z.string(),
        kid: text,
        use: text,
        alg: text,
        key_ops: names.optional(),
        n: text,
        e: text,
        crv: text,
        x: text,
        y: text,
      }),
    )
    .max(MAX_KEYS),
});

/** Reads the keys of a provider. */
async function readKeys(send: Send, url: string): Promise<Response> {
  return Response.json(await documentOf(await read(send, url), keysShape, 'key set'));
}

async function documentOf<Shape extends z.ZodType>(
  response: Response,
  shape: Shape,
  what: string,
): Promise<z.output<Shape>> {
  const invalid = (reason: string) => new SignInError(`The ${what} of the identity provider is not valid: ${reason}`);
  if (response.status !== 200) throw invalid(`the server answered with ${response.status}.`);
  const document: unknown = await response.json().catch(() => {
    throw invalid('it is not JSON.');
  });
  const { success, data, error } = shape.safeParse(document);
  if (success) return data;
  throw invalid(`"${shortened(error.issues[0]?.path.join('.') ?? '')}" is missing, too large or of another type.`);
}

interface Sent {
  method: string;
  headers: Record<string, string>;
  body: unknown;
}

/** Statuses of responses that have no body, whatever the server has sent. */
const BODILESS: ReadonlySet<number> = new Set([204, 205, 304]);

/** Sends requests with the guard of all outbound requests, without following redirects. */
const sendGuarded =
  (fetch: GuardedFetch, signal?: AbortSignal) =>
  async (url: string, { method, headers, body }: Sent, maxBytes = MAX_RESPONSE_BYTES): Promise<Response> => {
    const sent = body instanceof URLSearchParams ? body.toString() : body;
    const response = await fetch({
      url,
      method,
      headers,
      ...(typeof sent === 'string' && { body: sent }),
      maxBytes,
      timeoutMs: REQUEST_MS,
      signal,
      followRedirects: false,
    });
    const { status } = response;
    const bytes = new Uint8Array(await buffer(response.body));
    if (status < 200 || status > 599) throw new OutboundError('FETCH_ERROR', `The server answered with ${status}.`);
    const { 'content-type': type, 'www-authenticate': challenge } = response.headers;
    return new Response(bytes.length === 0 || BODILESS.has(status) ? null : bytes, {
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
  const { AuthorizationResponseError, ResponseBodyError, WWWAuthenticateChallengeError, ClientError } = await library();
  const causes = causesOf(error);
  const refused = causes.find((cause) => cause instanceof SignInError);
  if (refused) return refused;
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
  // Values of another type than the library expects, and keys that cannot be imported, end in the errors of the
  // platform.
  const isOfLibrary = causes.some(
    (cause) =>
      cause instanceof ClientError || cause instanceof TypeError || cause instanceof DOMException || isCoded(cause),
  );
  const reason = causes.at(-1)?.message ?? '';
  return isOfLibrary
    ? new SignInError(`The response of the identity provider is not valid: ${shortened(reason)}`)
    : undefined;
}

/** An error with its causes, outermost first. */
function causesOf(error: unknown): Error[] {
  const causes: Error[] = [];
  for (let cause = error; cause instanceof Error && !causes.includes(cause); cause = cause.cause) causes.push(cause);
  return causes;
}

const isCoded = (error: Error): boolean =>
  'code' in error && typeof error.code === 'string' && error.code.startsWith('OAUTH_');

const shortened = (text: string) => text.trim().slice(0, MAX_REASON);
