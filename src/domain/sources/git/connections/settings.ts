import { z } from 'zod';
import { withCode } from '../../../../lib/validation/issue-code.ts';
import { badInput } from '../../../../platform/errors/errors.ts';
import { lineText, multilineText } from '../../../../platform/shapes/text.ts';
import { hasNoCredentials, NO_CREDENTIALS, webAddress } from '../../../../platform/shapes/web-address.ts';
import { gitHost } from '../enums.ts';
import { directoryOf, isRef, isSsh } from '../repository-url.ts';
import { prefix } from '../run-input.ts';
import { hostKeysIn } from '../transport/ssh-command.ts';
import { gitSide } from './enums.ts';

export const DEFAULT_MESSAGE = '{subject} (#{number})';

/** The settings of a connection. All can be changed later. */
export const connectionSettings = {
  url: lineText(1, 2_048).describe(
    'URL of the repository. With http or https, it can contain a user name and a password or token, which are stored encrypted and never shown. ' +
      'If the service has the setting `GIT_PROGRAM`, `ssh://git@host/path` and `git@host:path` are accepted too: the connection gets a key pair. Add its public key to the repository.',
  ),
  sshHostKeys: z
    .array(
      lineText(1, 2_000)
        .refine((line) => hostKeyOf(line) !== undefined, {
          error: 'must be a line of known_hosts, or the type and Base64 of a public key.',
        })
        .meta({ description: 'Line as `ssh-keyscan` prints it, or the type and Base64 of a key.' }),
    )
    .max(20)
    .nullish()
    .describe(
      'For SSH: trusted public keys of the host. Null trusts the key that the host presents in the first connection. Default: null.',
    ),
  ref: lineText(1, 255)
    .refine(isRef, {
      error: 'must be the full name of a branch, such as refs/heads/main.',
      ...withCode('INVALID_FORMAT'),
    })
    .refine((ref) => ref.startsWith('refs/heads/'), { error: 'must be a branch, which begins with refs/heads/.' })
    .describe('Full name of the branch, such as `refs/heads/main`.'),
  repoProjectDirectory: lineText(0, 255)
    .refine((path) => directoryOf(path) !== undefined, { error: 'must be a directory inside of the repository.' })
    .describe('Directory of the documentation in the repository. Default: empty, for the whole repository.'),
  provider: gitHost.describe(
    'Service that hosts the repository. Its API is used for pull requests and commit statuses. Default: guessed from the URL.',
  ),
  apiUrl: webAddress()
    .refine(hasNoCredentials, NO_CREDENTIALS)
    .nullish()
    .describe(
      "URL of the provider's API. Default: `https://api.github.com`, or the default path on the repository's host.",
    ),
  repoTreeURL: prefix('Prefix of the URLs of files in the branch, for links to files that are not pages.'),
  repoCommitURL: prefix('Prefix of the URLs of commits. The URL of a commit is the prefix and its hash.'),
  commitMessage: multilineText(1, 500).describe(
    `Template of commit messages. \`{number}\` and \`{subject}\` are replaced with those of the merged change request. Default: \`${DEFAULT_MESSAGE}\`.`,
  ),
  initialSide: gitSide.describe('Side that wins in the first synchronization. Default: `branch`.'),
  importsPullRequests: z
    .boolean()
    .describe(
      'Whether pull requests to the branch are imported as revisions that are not the primary content. Default: true.',
    ),
};

/** A key of a host as type and Base64. Undefined if the line has none. */
const hostKeyOf = (line: string): string | undefined => hostKeysIn(line)[0] ?? hostKeysIn(`host ${line}`)[0];

/** The keys of the host of a repository, each once. BAD_USER_INPUT unless it is reached over SSH. */
export function hostKeysFrom(url: string, lines: readonly string[] | null | undefined): string[] | null {
  if (lines == null || lines.length === 0) return null;
  if (!isSsh(url)) throw badInput(['sshHostKeys'], 'can only be set for repositories that are reached over SSH.');
  return [...new Set(lines.flatMap((line) => hostKeyOf(line) ?? []))];
}

/** The provider at a URL, as far as its host tells. */
export const providerAt = (url: string): 'github' | 'gitlab' =>
  /gitlab/i.test(URL.parse(url)?.hostname ?? '') ? 'gitlab' : 'github';
