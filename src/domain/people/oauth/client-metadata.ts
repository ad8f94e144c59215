/** Metadata of a client (RFC 7591), before the library has checked it. */
export interface Metadata {
  application_type?: unknown;
  redirect_uris?: unknown;
  client_name?: unknown;
}

export const MAX_REDIRECTS = 10;
const MAX_REDIRECT = 2_000;
export const MAX_CLIENT_NAME = 100;

/**
 * What is wrong with the metadata of a client, beside what the library checks. Every client is an installed application
 * for it: then `http` is for loopback addresses only, with any port, and private schemes are those that the client
 * has registered (RFC 8252).
 */
export function checkMetadata(metadata: Metadata): string | undefined {
  metadata.application_type = 'native';
  const { redirect_uris: uris, client_name: name } = metadata;
  if (Array.isArray(uris)) {
    if (uris.length > MAX_REDIRECTS) return `redirect_uris must have ${MAX_REDIRECTS} members at most`;
    if (uris.some((uri) => String(uri).length > MAX_REDIRECT))
      return `members of redirect_uris must have ${MAX_REDIRECT} characters at most`;
  }
  if (typeof name === 'string' && (name.length > MAX_CLIENT_NAME || /\p{C}/u.test(name)))
    return `client_name must have ${MAX_CLIENT_NAME} characters at most, without control characters`;
  return undefined;
}
