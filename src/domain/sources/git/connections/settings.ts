import { z } from 'zod';
import { badInput } from '../../../../platform/errors.ts';
import { lineOf, textOf } from '../../../../platform/text.ts';
import { webAddress } from '../../../../platform/web-address.ts';
import { gitHost } from '../enums.ts';
import { directoryOf, isRef, isSsh } from '../repository-url.ts';
import { prefix } from '../run-input.ts';
import { hostKeysIn } from '../transport/ssh-command.ts';
import { gitSide } from './enums.ts';

export const DEFAULT_MESSAGE = '{subject} (#{number})';

/** The settings of a connection, all of which can be changed later. */
export const connectionSettings = {
  url: lineOf(1, 2_048).describe(
    'URL of the repository. With http or https, it can contain a user name and a password or token, which are stored encrypted and never shown. ' +
      'Where the service has the setting `GIT_PROGRAM`, also `ssh://git@host/path` or `git@host:path`: the connection gets a key pair, whose public ' +
      'key is added to the repository.',
  ),
  sshHostKeys: z
    .array(
      lineOf(1, 2_000)
        .refine((line) => hostKeyOf(line) !== undefined, {
          error: 'must be a line of known_hosts, or the type and Base64 of a public key.',
        })
        .meta({ description: 'Line as `ssh-keyscan` prints it, or the type and Base64 of a key.' }),
    )
    .max(20)
    .nullish()
    .describe(
      'For SSH: the public keys that the host may have. Null to trust the key that it has in the first contact. Default: null.',
    ),
  ref: lineOf(1, 255)
    .refine(isRef, { error: 'must be the full name of a branch, such as refs/heads/main.' })
    .refine((ref) => ref.startsWith('refs/heads/'), { error: 'must be a branch, which begins with refs/heads/.' })
    .describe('Full name of the branch, such as `refs/heads/main`.'),
  repoProjectDirectory: lineOf(0, 255)
    .refine((path) => directoryOf(path) !== undefined, { error: 'must be a directory inside of the repository.' })
    .describe(
      'Directory of the documentation in the repository. Empty for the whole repository, which is the default.',
    ),
  provider: gitHost.describe(
    'Service that hosts the repository, whose API is used for pull requests and commit statuses. Default: guessed from the URL.',
  ),
  apiUrl: webAddress()
    .refine((url) => URL.parse(url)?.username === '' && URL.parse(url)?.password === '', {
      error: 'must not contain a user name or password.',
    })
    .nullish()
    .describe(
      'URL of the API of the provider. Default: `https://api.github.com`, or the usual path on the host of the repository.',
    ),
  repoTreeURL: prefix('Prefix of the URLs of files in the branch, for links to files that are no pages.'),
  repoCommitURL: prefix('Prefix of the URLs of commits. The URL of a commit is the prefix and its hash.'),
  commitMessage: textOf(1, 500).describe(
    `Template of the messages of commits. \`{number}\` and \`{subject}\` are those of the merged change request. Default: \`${DEFAULT_MESSAGE}\`.`,
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
  if (!isSsh(url)) throw badInput(['sshHostKeys'], 'is only for repositories that are reached over SSH.');
  return [...new Set(lines.flatMap((line) => hostKeyOf(line) ?? []))];
}

/** The provider at a URL, as far as its host tells. */
export const providerAt = (url: string): 'github' | 'gitlab' =>
  /gitlab/i.test(URL.parse(url)?.hostname ?? '') ? 'gitlab' : 'github';
