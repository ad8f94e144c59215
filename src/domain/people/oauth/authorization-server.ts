import { generateKeyPairSync, hkdfSync } from 'node:crypto';
import type { Payload, Provider, ProviderContext } from 'oidc-provider';
import { DAY_SECONDS } from '../../../lib/durations.ts';
import { type OpenedOnce, openOnce } from '../../../lib/open-once.ts';
import { audienceNamed } from '../../../platform/access/audiences.ts';
import { type Scope, scope } from '../../../platform/access/scopes.ts';
import type { Services } from '../../../platform/context/services.ts';
import { keysToTry } from '../../../platform/secret-key/secrets.ts';
import { checkMetadata, type Metadata } from './client-metadata.ts';
import type { OAuthError } from './error-page.ts';
import { type DocumentRequester, fetchDocument, NotRequested } from './fetch-document.ts';
import { countAgainstGlobalLimits } from './limits.ts';
import { adapterOf } from './record-adapter.ts';

export const OAUTH = {
  authorize: '/oauth/authorize',
  token: '/oauth/token',
  revoke: '/oauth/revoke',
  introspect: '/oauth/introspect',
  register: '/oauth/register',
  device: '/oauth/device',
} as const;

/** The page that a device shows the address of. It leads to the one that asks for the code. */
export const DEVICE = '/device';
export const DEVICE_CODE = '/account/device';

export const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

/** The page that asks for consent is below the account, so that signing in leads back to it. */
export const CONSENT = '/account/authorize';

export const SCOPES = scope.options as readonly Scope[];

export const CLIENT_AUTHENTICATION = ['none', 'client_secret_basic', 'client_secret_post'] as const;

/** Seconds that a request waits for consent. */
const REQUEST_SECONDS = 30 * 60;
const CODE_SECONDS = 60;
/** Seconds in which a person has to enter the code that a device shows. */
const DEVICE_SECONDS = 10 * 60;
const ACCESS_SECONDS = 60 * 60;
const REFRESH_SECONDS = 30 * DAY_SECONDS;
/** A grant ends after a year, however often its tokens were refreshed. */
export const GRANT_SECONDS = 365 * DAY_SECONDS;

interface Server {
  provider: Provider;
  /** Errors that are no responses to a client, by the request in which they occurred. */
  faults: WeakMap<object, unknown>;
  /** Who sends a request, by the request. */
  requesters: WeakMap<object, DocumentRequester>;
  /** Errors that a person sees in a browser, by the request. */
  pageErrors: WeakMap<object, OAuthError>;
  /** Whether an error says that a request for access was answered, has expired or is not of the browser. */
  isEnded(error: unknown): boolean;
  /** An error that tells a client what is wrong. Throws others, and limits. */
  clientError(error: unknown): OAuthError;
}

const servers = new WeakMap<Services, OpenedOnce<Server>>();

/** The authorization server of the process. It is loaded with its first request. */
export function authorizationServer(services: Services): Promise<Server> {
  const server = servers.get(services) ?? openOnce(() => makeServer(services));
  servers.set(services, server);
  return server.use();
}

async function makeServer(services: Services): Promise<Server> {
  const library = await loadLibrary(services);
  const { errors, interactionPolicy } = library;
  const { config, secretKeys, db } = services;
  const policy = interactionPolicy.base();
  const { checks } = policy.get('consent');
  for (const reason of CHECKS_OF_PRIOR_CONSENT) checks.remove(reason);
  checks.add(
    new interactionPolicy.Check('consent', 'Every request needs consent', ({ oidc }) => !oidc.result?.consent),
  );
  const requesters: Server['requesters'] = new WeakMap();
  /** That of the request that the library answers. Undefined on the pages of the account. */
  const currentRequester = () => {
    const { ctx } = library.Provider;
    return ctx && requesters.get(ctx.req);
  };
  const pageErrors: Server['pageErrors'] = new WeakMap();
  const cookie = { httpOnly: true, sameSite: 'lax', signed: true };

  const provider = new library.Provider(config.publicUrl, {
    adapter: (type: string) =>
      adapterOf(services, type, {
        alreadyUsed: () => new errors.InvalidGrant('already used'),
        admit: async (kind) => {
          const requester = currentRequester();
          if (!requester) throw new Error('admit() found no client address for the current request.');
          await countAgainstGlobalLimits(services, kind, requester.address);
        },
      }),
    clientAuthMethods: CLIENT_AUTHENTICATION,
    clientBasedCORS: () => true,
    clientDefaults: { id_token_signed_response_alg: 'ES256' },
    cookies: {
      keys: keysToTry(secretKeys).map(cookieKey),
      names: { session: SESSION_COOKIE, interaction: 'stemma_oauth_request', resume: 'stemma_oauth_resume' },
      long: { ...cookie, path: '/oauth' },
      short: cookie,
    },
    enabledJWA: { idTokenSigningAlgValues: ['ES256'] },
    expiresWithSession: () => false,
    extraClientMetadata: {
      // Not a property that clients have. The library checks the others before and after.
      properties: ['stemma'],
      validator: (_ctx: unknown, _key: string, _value: unknown, metadata: Metadata) => {
        const fault = checkMetadata(metadata);
        if (fault !== undefined) throw new errors.InvalidClientMetadata(fault);
      },
    },
    features: {
      clientIdMetadataDocument: { enabled: true, ack: 'draft-02', cacheDuration: { min: 60, max: 3_600 } },
      devInteractions: { enabled: false },
      deviceFlow: { enabled: true, charset: 'base-20', mask: USER_CODE_MASK, deviceInfo: () => ({}) },
      dPoP: { enabled: false },
      introspection: { enabled: true, allowedPolicy: isOfClient },
      pushedAuthorizationRequests: { enabled: false },
      registration: { enabled: true, issueRegistrationAccessToken: false },
      resourceIndicators: {
        enabled: true,
        defaultResource: (_ctx: unknown, _client: unknown, oneOf?: string[]) => oneOf?.[0] ?? config.publicUrl,
        getResourceServerInfo: (_ctx: unknown, resource: string) => {
          const audience = audienceNamed(config.publicUrl, resource);
          if (audience === undefined) throw new errors.InvalidTarget(`${resource} is not a resource of this service`);
          return { scope: SCOPES.join(' '), audience, accessTokenTTL: ACCESS_SECONDS, accessTokenFormat: 'opaque' };
        },
      },
      revocation: { enabled: true, allowedPolicy: isOfClient },
      rpInitiatedLogout: { enabled: false },
      userinfo: { enabled: false },
    },
    fetch: (url: string | URL, { headers }: { headers?: Headers }) =>
      fetchDocument(services, url, { headers, requester: currentRequester() }),
    findAccount: async (_ctx: unknown, id: string) => {
      const user = await db.selectFrom('user').where('id', '=', id).select('id').executeTakeFirst();
      return user && { accountId: user.id, claims: () => ({ sub: user.id }) };
    },
    interactions: { policy, url: (_ctx: unknown, { uid }: { uid: string }) => `${CONSENT}/${uid}` },
    issueRefreshToken: (_ctx: unknown, client: { grantTypeAllowed(type: string): boolean }) =>
      client.grantTypeAllowed('refresh_token'),
    // The library needs a key for ID tokens, which are never issued.
    jwks: { keys: [generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' })] },
    loadExistingGrant: async ({ oidc }: ProviderContext) => {
      const grantId = oidc.result?.consent?.grantId;
      return grantId === undefined ? undefined : provider.Grant.find(grantId);
    },
    pkce: { required: () => true },
    renderError: async (ctx: ProviderContext, out: OAuthError) => {
      if (PAGES.has(ctx.oidc.route) && ctx.accepts('json', 'html') === 'html') pageErrors.set(ctx.req, out);
      ctx.body = out;
    },
    responseTypes: ['code'],
    revokeGrantPolicy: () => true,
    rotateRefreshToken: true,
    routes: {
      authorization: OAUTH.authorize,
      token: OAUTH.token,
      revocation: OAUTH.revoke,
      introspection: OAUTH.introspect,
      registration: OAUTH.register,
      device_authorization: OAUTH.device,
      code_verification: DEVICE,
    },
    scopes: [...SCOPES, 'offline_access'],
    ttl: {
      AccessToken: ACCESS_SECONDS,
      AuthorizationCode: CODE_SECONDS,
      DeviceCode: DEVICE_SECONDS,
      Grant: GRANT_SECONDS,
      Interaction: REQUEST_SECONDS,
      RefreshToken: REFRESH_SECONDS,
      Session: REQUEST_SECONDS,
    },
  });
  // The scheme is that of PUBLIC_URL, which `responseOf` passes on.
  provider.proxy = true;
  provider.silent = true;
  const faults: Server['faults'] = new WeakMap();
  provider.on('server_error', ({ req }, error) => void faults.set(req, error));
  // The library takes every error of a request for a document for one of the client.
  for (const event of CLIENT_ERRORS)
    provider.on(event, ({ req }, { cause }) => {
      if (cause instanceof NotRequested) faults.set(req, cause.cause);
    });
  return {
    provider,
    requesters,
    faults,
    pageErrors,
    isEnded: (error) => error instanceof errors.SessionNotFound,
    clientError(error) {
      if (!(error instanceof errors.OIDCProviderError && error.expose)) throw error;
      if (error.cause instanceof NotRequested) throw error.cause.cause;
      return error;
    },
  };
}

/** The library tells the console which versions of Node it supports, which belongs in the log. */
async function loadLibrary({ log }: Services): Promise<typeof import('oidc-provider')> {
  const { warn } = console;
  console.warn = (...words: unknown[]) => log.debug(words.join(' '));
  try {
    return await import('oidc-provider');
  } finally {
    console.warn = warn;
  }
}

/** The code that a device shows: eight consonants, so that no words appear. */
const USER_CODE_MASK = '****-****';

export const SESSION_COOKIE = 'stemma_oauth_session';

/** Events of requests that name a client. */
const CLIENT_ERRORS = [
  'authorization.error',
  'device_authorization.error',
  'grant.error',
  'introspection.error',
  'revocation.error',
] as const;

const PAGES = new Set(['authorization', 'resume']);

const CHECKS_OF_PRIOR_CONSENT = [
  'native_client_prompt',
  'op_scopes_missing',
  'op_claims_missing',
  'rs_scopes_missing',
  'rar_prompt',
];

const isOfClient = (_ctx: unknown, client: { clientId: string }, token: Payload) => token.clientId === client.clientId;

/** Signs the cookies that lead back from the page of consent. */
const cookieKey = (secretKey: string) =>
  Buffer.from(hkdfSync('sha256', secretKey, '', 'stemma oauth cookies', 32)).toString('base64url');
