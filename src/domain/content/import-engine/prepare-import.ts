import type { Context } from '../../../platform/context/context.ts';
import { ApiError, badInput } from '../../../platform/errors/errors.ts';
import { atEnd } from '../../../platform/operation/cleanup.ts';
import { acquireSource } from './acquire-source.ts';
import { type Gathering, gatherFiles, gatherSite } from './gather.ts';
import { TooManyPages } from './import-size.ts';
import { HOW_TO_EXPORT, KIND_BY_TYPE } from './import-source.ts';
import type { ImportFile } from './sources/source.ts';
import type { StoredRepository } from './store-files.ts';

/** Limits of an import within a request, besides its time. */
const LIMITS = { pages: 2_000, bytes: 200 * 1024 * 1024, timeMs: Number.POSITIVE_INFINITY };

/** The source does not fit into a request. */
class Exceeded extends Error {
  override name = 'Exceeded';
}

const within: Gathering = {
  limits: LIMITS,
  overLimit() {
    throw new Exceeded();
  },
};

/**
 * Reads the source and puts its files into storage. Rows are written later, in the transaction of the command.
 * Undefined if the source has more than 2,000 pages, or is not read within `IMPORT_WAIT_MS`, which includes downloads
 * and waiting.
 */
export async function prepareImport(
  ctx: Context,
  organizationId: string,
  { url, source }: { url: string; source: string },
  spaceId?: string,
): Promise<StoredRepository | undefined> {
  const advice = HOW_TO_EXPORT[source];
  if (source === 'google-docs') throw badInput(['source'], advice ?? '');
  const over = new AbortController();
  const timer = setTimeout(() => over.abort(new Exceeded()), ctx.services.config.importWaitMs);
  const gathering = { ...within, signal: over.signal, spaceId };
  try {
    return source === 'website'
      ? await gatherSite({ ctx, organizationId }, url, gathering)
      : await gatherFile(ctx, organizationId, { url, source }, gathering);
  } catch (error) {
    if (error instanceof Exceeded || error instanceof TooManyPages) return undefined;
    throw advice === undefined ? error : withAdvice(error, advice);
  } finally {
    clearTimeout(timer);
  }
}

const gatherFile = (
  ctx: Context,
  organizationId: string,
  { url, source }: { url: string; source: string },
  gathering: Gathering,
): Promise<StoredRepository> =>
  gatherFiles({ ctx, organizationId }, KIND_BY_TYPE[source] ?? 'auto', gathering, async (folder) => {
    const { file, release } = await acquireSource(ctx, organizationId, url, folder);
    atEnd(ctx, release);
    return [file];
  });

/** Reads files and folders of this machine. */
export const readGiven = (ctx: Context, files: ImportFile[]): Promise<StoredRepository> =>
  gatherFiles({ ctx, organizationId: undefined }, 'auto', within, async () => files);

function withAdvice(error: unknown, advice: string): unknown {
  const issue = error instanceof ApiError && error.code === 'BAD_USER_INPUT' ? error.issues[0] : undefined;
  return issue ? badInput(issue.path, `${issue.message} ${advice}`) : error;
}
