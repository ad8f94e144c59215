import { hkdfSync } from 'node:crypto';
import type { Provider, ProviderContext } from 'oidc-provider';
import { type OpenedOnce, openOnce } from '../../../lib/open-once.ts';
import { audienceNamed } from '../../../platform/access/audiences.ts';
import type { Services } from '../../../platform/context/services.ts';
import { keysToTry } from '../../../platform/secret-key/secrets.ts';
import { checkMetadata, type Metadata } from './client-metadata.ts';
import type { OAuthError } from './error-page.ts';
import { type DocumentRequester, fetchDocument, NotRequested } from './fetch-document.ts';
import { countAgainstGlobalLimits } from './limits.ts';
import { adapterOf } from './record-adapter.ts';
import { ACCESS_SECONDS, CONSENT, FIXED_FEATURES, FIXED_SETTINGS, SCOPES } from './settings.ts';

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
  const { errors } = library;
  const requesters: Server['requesters'] = new WeakMap();
  const pageErrors: Server['pageErrors'] = new WeakMap();
  const provider = new library.Provider(services.config.publicUrl, {
    ...FIXED_SETTINGS,
    ...settingsOf(services, library, requesters),
    loadExistingGrant: async ({ oidc }: ProviderContext) => {
      const grantId = oidc.result?.consent?.grantId;
      return grantId === undefined ? undefined : provider.Grant.find(grantId);
    },
    renderError: async (ctx: ProviderContext, out: OAuthError) => {
      if (PAGES.has(ctx.oidc.route) && ctx.accepts('json', 'html') === 'html') pageErrors.set(ctx.req, out);
      ctx.body = out;
    },
  });
  // The scheme is that of PUBLIC_URL, which `responseOf` passes on.
  provider.proxy = true;
  provider.silent = true;
  return {
    provider,
    requesters,
    faults: faultsOf(provider),
    pageErrors,
    isEnded: (error) => error instanceof errors.SessionNotFound,
    clientError(error) {
      if (!(error instanceof errors.OIDCProviderError && error.expose)) throw error;
      if (error.cause instanceof NotRequested) throw error.cause.cause;
      return error;
    },
  };
}

/** The settings that depend on those of the service. */
function settingsOf(services: Services, library: Library, requesters: Server['requesters']) {
  const { config, secretKeys, db } = services;
  const { errors } = library;
  const cookie = { httpOnly: true, sameSite: 'lax', signed: true };
  /** That of the request that the library answers. Undefined on the pages of the account. */
  const currentRequester = () => {
    const { ctx } = library.Provider;
    return ctx && requesters.get(ctx.req);
  };
  return {
    adapter: (type: string) =>
      adapterOf(services, type, {
        alreadyUsed: () => new errors.InvalidGrant('already used'),
        admit: async (kind) => {
          const requester = currentRequester();
          if (!requester) throw new Error('admit() found no client address for the current request.');
          await countAgainstGlobalLimits(services, kind, requester.address);
        },
      }),
    cookies: {
      keys: keysToTry(secretKeys).map(cookieKey),
      names: { session: SESSION_COOKIE, interaction: 'stemma_oauth_request', resume: 'stemma_oauth_resume' },
      long: { ...cookie, path: '/oauth' },
      short: cookie,
    },
    extraClientMetadata: {
      // Not a property that clients have. The library checks the others before and after.
      properties: ['stemma'],
      validator: (_ctx: unknown, _key: string, _value: unknown, metadata: Metadata) => {
        const fault = checkMetadata(metadata);
        if (fault !== undefined) throw new errors.InvalidClientMetadata(fault);
      },
    },
    features: { ...FIXED_FEATURES, resourceIndicators: resourcesOf(config, errors) },
    fetch: (url: string | URL, { headers }: { headers?: Headers }) =>
      fetchDocument(services, url, { headers, requester: currentRequester() }),
    findAccount: async (_ctx: unknown, id: string) => {
      const user = await db.selectFrom('user').where('id', '=', id).select('id').executeTakeFirst();
      return user && { accountId: user.id, claims: () => ({ sub: user.id }) };
    },
    interactions: {
      policy: consentPolicy(library),
      url: (_ctx: unknown, { uid }: { uid: string }) => `${CONSENT}/${uid}`,
    },
  };
}

/** Every request needs consent, whatever the person has consented to before. */
function consentPolicy({ interactionPolicy }: Library) {
  const policy = interactionPolicy.base();
  const { checks } = policy.get('consent');
  for (const reason of CHECKS_OF_PRIOR_CONSENT) checks.remove(reason);
  checks.add(
    new interactionPolicy.Check('consent', 'Every request needs consent', ({ oidc }) => !oidc.result?.consent),
  );
  return policy;
}

/** The resources that tokens are for (RFC 8707): the service, or one of its endpoints. */
const resourcesOf = ({ publicUrl }: Services['config'], errors: Library['errors']) => ({
  enabled: true,
  defaultResource: (_ctx: unknown, _client: unknown, oneOf?: string[]) => oneOf?.[0] ?? publicUrl,
  getResourceServerInfo: (_ctx: unknown, resource: string) => {
    const audience = audienceNamed(publicUrl, resource);
    if (audience === undefined) throw new errors.InvalidTarget(`${resource} is not a resource of this service`);
    return { scope: SCOPES.join(' '), audience, accessTokenTTL: ACCESS_SECONDS, accessTokenFormat: 'opaque' };
  },
});

/** Collects the errors that are no responses to a client. */
function faultsOf(provider: Provider): Server['faults'] {
  const faults: Server['faults'] = new WeakMap();
  provider.on('server_error', ({ req }, error) => void faults.set(req, error));
  // The library takes every error of a request for a document for one of the client.
  for (const event of CLIENT_ERRORS)
    provider.on(event, ({ req }, { cause }) => {
      if (cause instanceof NotRequested) faults.set(req, cause.cause);
    });
  return faults;
}

type Library = typeof import('oidc-provider');

/** The library tells the console which versions of Node it supports, which belongs in the log. */
async function loadLibrary({ log }: Services): Promise<Library> {
  const { warn } = console;
  console.warn = (...words: unknown[]) => log.debug(words.join(' '));
  try {
    return await import('oidc-provider');
  } finally {
    console.warn = warn;
  }
}

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

/** Signs the cookies that lead back from the page of consent. */
const cookieKey = (secretKey: string) =>
  Buffer.from(hkdfSync('sha256', secretKey, '', 'stemma oauth cookies', 32)).toString('base64url');
