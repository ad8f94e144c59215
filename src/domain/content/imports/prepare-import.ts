import type { Context } from '../../../platform/context.ts';
import { ApiError, badInput } from '../../../platform/errors.ts';
import { atEnd } from '../../../platform/scope.ts';
import { bringSource } from './bring-source.ts';
import { type Gathering, gatherFiles, gatherSite } from './gather.ts';
import { HOW_TO_EXPORT, KINDS } from './import-source.ts';
import { tooManyPages } from './read-repository.ts';
import type { GivenFile } from './sources/given-file.ts';
import type { StoredRepository } from './store-files.ts';

const MAX_MS = 30_000;

/** Limits of an import within a request. Larger sources need an import run. */
const LIMITS = { pages: 2_000, bytes: 200 * 1024 * 1024, timeMs: MAX_MS };

const within: Gathering = {
  limits: LIMITS,
  late: { afterMs: MAX_MS, reason: () => tooLong() },
  overLimit(pages) {
    throw tooManyPages(pages, LIMITS.pages);
  },
};

/** Reads the source and puts its files into storage. Rows are written later, in the transaction of the command. */
export async function prepareImport(
  ctx: Context,
  organizationId: string,
  { url, source }: { url: string; source: string },
): Promise<StoredRepository> {
  const advice = HOW_TO_EXPORT[source];
  if (source === 'google-docs') throw badInput(['source'], advice ?? '');
  const of = { ctx, organizationId };
  try {
    if (source === 'website') return await gatherSite(of, url, within);
    return await gatherFile(of, { url, source });
  } catch (error) {
    throw advice === undefined ? error : withAdvice(error, advice);
  }
}

const gatherFile = (
  of: { ctx: Context; organizationId: string },
  { url, source }: { url: string; source: string },
): Promise<StoredRepository> =>
  gatherFiles(of, KINDS[source] ?? 'auto', within, async (folder) => {
    const { file, release } = await bringSource(of.ctx, of.organizationId, url, folder);
    atEnd(of.ctx, release);
    return [file];
  });

/** Reads files and folders of this machine. */
export const readGiven = (ctx: Context, given: GivenFile[]): Promise<StoredRepository> =>
  gatherFiles({ ctx, organizationId: undefined }, 'auto', within, async () => given);

function withAdvice(error: unknown, advice: string): unknown {
  const issue = error instanceof ApiError && error.code === 'BAD_USER_INPUT' ? error.issues[0] : undefined;
  return issue ? badInput(issue.path, `${issue.message} ${advice}`) : error;
}

const tooLong = () =>
  badInput(
    ['url'],
    `The import takes longer than ${MAX_MS / 1000} seconds. Use an import run, or import the source in parts.`,
  );
