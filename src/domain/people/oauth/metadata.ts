import { type ApiPath, RESOURCE_METADATA } from '../../../platform/access/audiences.ts';
import type { Scope } from '../../../platform/access/scopes.ts';
import { CLIENT_AUTHENTICATION, DEVICE_GRANT, OAUTH, SCOPES } from './settings.ts';

/** Path of the metadata of the authorization server (RFC 8414, 3). */
export const SERVER_METADATA = '/.well-known/oauth-authorization-server';

const DOCUMENTATION = '/handbook/interfaces/oauth';

/** The metadata of the authorization server (RFC 8414, section 2). */
export const serverMetadata = (publicUrl: string) => ({
  issuer: publicUrl,
  authorization_endpoint: publicUrl + OAUTH.authorize,
  token_endpoint: publicUrl + OAUTH.token,
  registration_endpoint: publicUrl + OAUTH.register,
  revocation_endpoint: publicUrl + OAUTH.revoke,
  introspection_endpoint: publicUrl + OAUTH.introspect,
  device_authorization_endpoint: publicUrl + OAUTH.device,
  scopes_supported: SCOPES,
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: ['authorization_code', 'refresh_token', DEVICE_GRANT],
  token_endpoint_auth_methods_supported: CLIENT_AUTHENTICATION,
  revocation_endpoint_auth_methods_supported: CLIENT_AUTHENTICATION,
  introspection_endpoint_auth_methods_supported: CLIENT_AUTHENTICATION,
  code_challenge_methods_supported: ['S256'],
  authorization_response_iss_parameter_supported: true,
  client_id_metadata_document_supported: true,
  service_documentation: publicUrl + DOCUMENTATION,
});

/**
 * Clients ask for the scopes that a resource lists. Agents begin with those by which nothing changes without review.
 */
const SCOPES_OF_AGENTS: readonly Scope[] = ['read', 'comment', 'propose'];

/** The metadata of an API as a protected resource (RFC 9728, section 2). */
export const resourceMetadata = (publicUrl: string, api: ApiPath | '') => ({
  resource: publicUrl + api,
  resource_name: 'Stemma',
  authorization_servers: [publicUrl],
  scopes_supported: api === '/mcp' ? SCOPES_OF_AGENTS : SCOPES,
  bearer_methods_supported: ['header'],
  resource_documentation: publicUrl + DOCUMENTATION,
});

export { RESOURCE_METADATA };
