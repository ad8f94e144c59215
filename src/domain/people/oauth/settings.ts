import { generateKeyPairSync } from 'node:crypto';
import type { Payload } from 'oidc-provider';
import { DAY_SECONDS } from '../../../lib/durations.ts';
import { type Scope, scope } from '../../../platform/access/scopes.ts';

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
export const ACCESS_SECONDS = 60 * 60;
const REFRESH_SECONDS = 30 * DAY_SECONDS;
/** A grant ends after a year, however often its tokens were refreshed. */
export const GRANT_SECONDS = 365 * DAY_SECONDS;

/** Settings of the library that do not depend on those of the service. */
export const FIXED_SETTINGS = {
  clientAuthMethods: CLIENT_AUTHENTICATION,
  clientBasedCORS: () => true,
  clientDefaults: { id_token_signed_response_alg: 'ES256' },
  enabledJWA: { idTokenSigningAlgValues: ['ES256'] },
  expiresWithSession: () => false,
  issueRefreshToken: (_ctx: unknown, client: { grantTypeAllowed(type: string): boolean }) =>
    client.grantTypeAllowed('refresh_token'),
  // The library needs a key for ID tokens, which are never issued.
  jwks: { keys: [generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' })] },
  pkce: { required: () => true },
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
};

const isOfClient = (_ctx: unknown, client: { clientId: string }, token: Payload) => token.clientId === client.clientId;

/** Features of the library that do not depend on the settings of the service. */
export const FIXED_FEATURES = {
  clientIdMetadataDocument: { enabled: true, ack: 'draft-02', cacheDuration: { min: 60, max: 3_600 } },
  devInteractions: { enabled: false },
  // The code that a device shows: eight consonants, so that no words appear.
  deviceFlow: { enabled: true, charset: 'base-20', mask: '****-****', deviceInfo: () => ({}) },
  dPoP: { enabled: false },
  introspection: { enabled: true, allowedPolicy: isOfClient },
  pushedAuthorizationRequests: { enabled: false },
  registration: { enabled: true, issueRegistrationAccessToken: false },
  revocation: { enabled: true, allowedPolicy: isOfClient },
  rpInitiatedLogout: { enabled: false },
  userinfo: { enabled: false },
};
