import { z } from 'zod';
import { withCode } from '../../../lib/validation/issue-code.ts';
import { isoTime } from '../../../lib/validation/time.ts';
import { idOf } from '../../../platform/operation/operation.ts';
import { lineText } from '../../../platform/shapes/text.ts';
import { hasNoCredentials, NO_CREDENTIALS } from '../../../platform/shapes/web-address.ts';
import { gitHost } from './enums.ts';
import { directoryOf, isRef } from './repository-url.ts';

export const prefix = (what: string) =>
  lineText(1, 2_048)
    .refine((url) => /^https?:$/.test(URL.parse(url)?.protocol ?? ''), {
      error: 'must be an http:// or https:// URL.',
      ...withCode('INVALID_FORMAT'),
    })
    // Links and responses show it.
    .refine(hasNoCredentials, NO_CREDENTIALS)
    .nullish()
    .describe(what);

/** Common input of imports and exports. */
export const runInput = {
  spaceId: idOf('space'),
  url: lineText(1, 2_048).describe(
    'URL of the repository. With http or https, it can contain a user name and a password or token, which are encrypted until the operation ends and never shown. ' +
      "An SSH URL must be that of the space's connection; its key is used.",
  ),
  ref: lineText(1, 255)
    .refine(isRef, {
      error: 'must be the full name of a branch, such as refs/heads/main.',
      ...withCode('INVALID_FORMAT'),
    })
    .describe(
      'Full name of the branch, such as `refs/heads/main`. A connected space accepts only the branch of its connection, except in a `standalone` import over http or https.',
    ),
  repoCacheID: lineText(0, 255)
    .nullish()
    .describe('Accepted for compatibility. Nothing is cached: each operation fetches the latest commit.'),
  repoTreeURL: prefix(
    'Prefix of the URLs of files. Relative links to files outside of the project directory become URLs with it.',
  ),
  repoCommitURL: prefix('Prefix of the URLs of commits. The URL of a commit is the prefix and its hash.'),
  repoProjectDirectory: lineText(0, 255)
    .refine((path) => directoryOf(path) !== undefined, { error: 'must be a directory inside of the repository.' })
    .nullish()
    .describe(
      'Directory of the documentation in the repository. A connected space accepts only the directory of its connection, with the same exception as `ref`. Default: the whole repository.',
    ),
  timestamp: isoTime
    .nullish()
    .describe(
      'Time of the event that triggered the operation. The operations of a space run in this order. An operation older than the latest completed one is skipped. Default: now.',
    ),
  gitInfo: z
    .object({
      provider: gitHost.nullish().describe('Service that hosts the repository. Default: guessed from its URL.'),
      url: prefix('URL to show for the repository.'),
    })
    .meta({ inputName: 'GitInfoInput', description: 'Information about the synchronization to show on the space.' })
    .nullish()
    .describe('Information about the synchronization to show on the space.'),
};

export type RunInput = z.output<z.ZodObject<typeof runInput>>;
