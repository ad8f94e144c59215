import type { Context } from '../../platform/context.ts';
import { badInput, Refusal } from '../../platform/errors.ts';
import { bringSource } from './bring-source.ts';
import { type Gathering, gatherFiles, gatherSite } from './gather.ts';
import { HOW_TO_EXPORT, KINDS } from './import-source.ts';
import { tooManyPages } from './read-repository.ts';
import type { GivenFile } from './sources/given-file.ts';
import type { StoredRepository } from './store-files.ts';

const MAX_MS = 30_000;

/** What is done within a request (decisions 4.2). More takes an import run. */
const LIMITS = { pages: 2_000, bytes: 200 * 1024 * 1024, timeMs: MAX_MS };

const within: Gathering = {
  limits: LIMITS,
  overLimit(pages) {
    throw tooManyPages(pages, LIMITS.pages);
  },
};

/** Reads what is to be imported and puts its files into storage; rows are written later, in the command's transaction. */
export async function prepareImport(
  ctx: Context,
  organizationId: string,
  { url, source }: { url: string; source: string },
): Promise<StoredRepository> {
  const advice = HOW_TO_EXPORT[source];
  if (source === 'google-docs') throw badInput(['source'], advice ?? '');
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(tooLong()), MAX_MS);
  const signal = ctx.work ? AbortSignal.any([late.signal, ctx.work.signal]) : late.signal;
  const gathering = { ...within, signal };
  try {
    if (source === 'website') return await gatherSite(ctx, url, gathering);
    return await gatherFile(ctx, organizationId, { url, source }, gathering);
  } catch (error) {
    throw advice === undefined ? error : withAdvice(error, advice);
  } finally {
    clearTimeout(timer);
  }
}

async function gatherFile(
  ctx: Context,
  organizationId: string,
  { url, source }: { url: string; source: string },
  gathering: Gathering,
): Promise<StoredRepository> {
  let release = async () => {};
  try {
    return await gatherFiles(ctx, KINDS[source] ?? 'auto', gathering, async (folder) => {
      const brought = await bringSource(ctx, organizationId, url, folder);
      release = brought.release;
      return [brought.file];
    });
  } finally {
    await release();
  }
}

/** The same for what is on this machine: a folder, for instance. */
export const readGiven = (ctx: Context, given: GivenFile[]): Promise<StoredRepository> =>
  gatherFiles(ctx, 'auto', within, async () => given);

function withAdvice(error: unknown, advice: string): unknown {
  const issue = error instanceof Refusal && error.code === 'BAD_USER_INPUT' ? error.issues[0] : undefined;
  return issue ? badInput(issue.path, `${issue.message} ${advice}`) : error;
}

const tooLong = () =>
  badInput(['url'], `This takes longer than ${MAX_MS / 1000} seconds; import it by an import run, or in parts.`);
