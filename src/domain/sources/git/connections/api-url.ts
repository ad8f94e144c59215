import { trimEndOf } from '../../../../lib/trim-characters.ts';
import { badInput } from '../../../../platform/errors/errors.ts';
import type { GitConnectionRow } from './access.ts';

/** The settings that say where a token is sent. */
export type TokenAddresses = Pick<GitConnectionRow, 'provider' | 'repositoryUrl' | 'apiUrl'>;

/** URL of the repository in the API of its provider. */
export function projectUrl({ provider, apiUrl, repositoryUrl }: TokenAddresses): string {
  const { protocol, hostname, pathname } = new URL(repositoryUrl);
  const origin = protocol === 'ssh:' ? `https://${hostname}` : new URL(repositoryUrl).origin;
  const path = pathname.replace(/^\/(?:~\/)?|\.git$/g, '');
  if (provider === 'gitlab') {
    return `${trimEndOf(apiUrl ?? `${origin}/api/v4`, '/')}/projects/${encodeURIComponent(path)}`;
  }
  const usual = hostname === 'github.com' ? 'https://api.github.com' : `${origin}/api/v3`;
  return `${trimEndOf(apiUrl ?? usual, '/')}/repos/${path}`;
}

const apiOriginOf = (addresses: TokenAddresses) => new URL(projectUrl(addresses)).origin;

/** Whether a token for the repository is sent to the API of its own provider, as the URL of the repository tells. */
const isOwnApi = ({ provider, repositoryUrl, ...rest }: TokenAddresses): boolean => {
  const origin = apiOriginOf({ provider, repositoryUrl, ...rest });
  return (
    origin === new URL(repositoryUrl).origin ||
    origin === apiOriginOf({ provider: 'github', repositoryUrl, apiUrl: null })
  );
};

interface Change {
  before: TokenAddresses;
  after: TokenAddresses;
  /** Whether a stored token stays. */
  keepsToken: boolean;
  /** Whether a token is given. */
  hasNewToken: boolean;
  /** Whether the URL of the API is given, be it null. */
  namesApi: boolean;
}

/**
 * Throws BAD_USER_INPUT if a token would be sent to an API that it was not provided for. A stored token is only sent to
 * the origin of its API, and a new one is not sent to an API that was set before: whoever provides a token names its
 * destinations.
 */
export function rejectOtherApi({ before, after, keepsToken, hasNewToken, namesApi }: Change): void {
  if (isOwnApi(after)) return;
  const origin = apiOriginOf(after);
  if (hasNewToken && !namesApi) {
    throw badInput(
      ['apiUrl'],
      `The token would also be sent to ${origin}, the current API of the connection. Send apiUrl with the token: this URL again, or null for the default.`,
    );
  }
  if (keepsToken && origin !== apiOriginOf(before)) {
    throw badInput(['apiUrl'], `The stored token was not provided for ${origin}. Send the token again, in url.`);
  }
}
