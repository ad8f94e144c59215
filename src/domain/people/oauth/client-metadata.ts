import { z } from 'zod';

const MAX_REDIRECTS = 10;
const MAX_REDIRECT = 2_000;
const MAX_CLIENT_NAME = 100;

/**
 * Metadata of a client that has an effect here (RFC 7591, section 2). Other members are dropped: a `scope` would be a
 * limit that the client could never exceed, although the user decides about each request.
 */
const metadataSchema = z.object({
  client_id: z.string().optional(),
  client_name: z.string().optional(),
  redirect_uris: z.array(z.string()).optional(),
  grant_types: z.array(z.string()).max(10).optional(),
  response_types: z.array(z.string()).max(10).optional(),
  token_endpoint_auth_method: z.string().optional(),
});

export type Metadata = z.output<typeof metadataSchema>;

/** The metadata that has an effect, or what is wrong with the types of its members. */
export function readMetadata(value: unknown): { metadata: Metadata } | { fault: string } {
  const { success, data, error } = metadataSchema.safeParse(value);
  if (success) return { metadata: withoutRedirects(data) };
  const [issue] = error.issues;
  return {
    fault: `${issue?.path.join('.') || 'The body'} must be ${NOUNS[issue?.code === 'invalid_type' ? issue.expected : ''] ?? 'of another type'}`,
  };
}

/** Clients that only use device codes get no responses, and need no redirect URI. */
function withoutRedirects(metadata: Metadata): Metadata {
  const { grant_types: types, response_types: responseTypes } = metadata;
  const hasRedirects = types === undefined || types.includes('authorization_code');
  return hasRedirects || responseTypes !== undefined ? metadata : { ...metadata, response_types: [] };
}

const NOUNS: Record<string, string> = { string: 'a string', array: 'a list', object: 'a JSON object' };

/**
 * Schemes of well-known editors, which have registered them without a domain name. All others must be the reversed name
 * of a domain, so that no scheme of another program is opened (RFC 8252, 7.1).
 */
const EDITOR_SCHEMES = new Set(['cursor:', 'vscode:', 'vscode-insiders:', 'windsurf:', 'zed:', 'jetbrains:']);

/**
 * What is wrong with the metadata of a client, beside what the library checks. Every client is an installed application
 * for it: then `http` is for loopback addresses only, with any port, and private schemes are those that the client
 * has registered (RFC 8252).
 */
export function checkMetadata(metadata: Metadata & { application_type?: string }): string | undefined {
  metadata.application_type = 'native';
  const { redirect_uris: uris = [], client_name: name = '' } = metadata;
  if (uris.length > MAX_REDIRECTS) return `redirect_uris must have ${MAX_REDIRECTS} members at most`;
  if (uris.some((uri) => uri.length > MAX_REDIRECT))
    return `members of redirect_uris must have ${MAX_REDIRECT} characters at most`;
  if (uris.some((uri) => !isUsualScheme(URL.parse(uri)?.protocol ?? '')))
    return 'the schemes of redirect_uris must be https, http or the reversed name of a domain, such as com.example.app';
  if (name.length > MAX_CLIENT_NAME || /\p{C}/u.test(name))
    return `client_name must have ${MAX_CLIENT_NAME} characters at most, without control characters`;
  return undefined;
}

const isUsualScheme = (scheme: string) =>
  ['', 'https:', 'http:'].includes(scheme) || scheme.includes('.') || EDITOR_SCHEMES.has(scheme);
