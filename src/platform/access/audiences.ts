import { unauthenticated } from '../errors/errors.ts';

/** Paths of the APIs that access tokens of applications are for (RFC 8707). */
export const API_PATHS = ['/v1', '/graphql', '/mcp'] as const;

export type ApiPath = (typeof API_PATHS)[number];

/** What an access token can be bound to: the whole service, or one of its APIs. */
const audiencesOf = (publicUrl: string): string[] => [publicUrl, ...API_PATHS.map((path) => publicUrl + path)];

/** The audience that a requested resource names, with or without a slash at its end. Undefined for other services. */
export const audienceNamed = (publicUrl: string, resource: string): string | undefined =>
  audiencesOf(publicUrl).find((audience) => resource === audience || resource === `${audience}/`);

/** The API that a path belongs to. */
const apiOf = (path: string): ApiPath | undefined =>
  API_PATHS.find((api) => path === api || path.startsWith(`${api}/`));

/** Path of the metadata of protected resources (RFC 9728, 3). */
export const RESOURCE_METADATA = '/.well-known/oauth-protected-resource';

/** Parameter of `WWW-Authenticate` that leads to the metadata of the API (RFC 9728, 5.1). Empty for other paths. */
export function metadataChallenge(publicUrl: string, path: string): string {
  const api = apiOf(path);
  return api === undefined ? '' : `resource_metadata="${publicUrl}${RESOURCE_METADATA}${api}"`;
}

/** The API that an audience binds a token to. Undefined for the whole service. */
export const apiOfAudience = (publicUrl: string, audience: string): ApiPath | undefined =>
  API_PATHS.find((path) => audience === publicUrl + path);

/**
 * Throws 401 if a token is bound to another API than the one of the path. Files and pages, which all of them link to,
 * accept it.
 */
export function rejectOtherAudience(bound: ApiPath | undefined, path: string): void {
  const api = apiOf(path);
  if (bound === undefined || api === undefined || api === bound) return;
  throw unauthenticated(
    `This access token was issued for ${bound} only. Ask for one for ${api}, or for the whole service.`,
  );
}
