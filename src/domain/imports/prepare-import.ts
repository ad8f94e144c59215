import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Context } from '../../platform/context.ts';
import { badInput, Refusal } from '../../platform/errors.ts';
import { bringSource } from './bring-source.ts';
import { type CrawlLimits, crawlSite } from './crawl/crawl-site.ts';
import { HOW_TO_EXPORT, KINDS } from './import-source.ts';
import { readFiles } from './read-files.ts';
import { tooManyPages } from './read-repository.ts';
import type { GivenFile } from './sources/open-source.ts';
import { type StoredRepository, storeFiles } from './store-files.ts';

/** What is done within a request (decisions 4.2). More takes an import run. */
const MAX_PAGES = 2_000;
const MAX_MS = 30_000;

const MAX_CRAWLED_BYTES = 200 * 1024 * 1024;

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
  try {
    if (source === 'website') return await readSite(ctx, url, signal);
    return await inFolder(async (folder) => {
      const brought = await bringSource(ctx, organizationId, url, folder);
      try {
        const read = await readFiles(
          { given: [brought.file], kind: KINDS[source] ?? 'auto', folder, maxPages: MAX_PAGES },
          { signal },
        );
        return await storeFiles(ctx, read, signal);
      } finally {
        await brought.release();
      }
    });
  } catch (error) {
    throw advice === undefined ? error : withAdvice(error, advice);
  } finally {
    clearTimeout(timer);
  }
}

async function readSite(ctx: Context, url: string, signal: AbortSignal): Promise<StoredRepository> {
  const limits: CrawlLimits = { pages: MAX_PAGES, bytes: MAX_CRAWLED_BYTES, timeMs: MAX_MS };
  const overLimit = (pages: number) => {
    throw tooManyPages(pages, MAX_PAGES);
  };
  return inFolder(async (folder) => {
    const { fetch } = ctx.services;
    const crawled = await orAborted(signal, crawlSite(url, { fetch, folder, limits, signal, overLimit }));
    const read = await readFiles({ given: [], kind: 'auto', folder, maxPages: MAX_PAGES, crawled }, { signal });
    return storeFiles(ctx, read, signal);
  });
}

/** The same for what is on this machine: a folder, for instance. */
export const readGiven = (ctx: Context, given: GivenFile[]): Promise<StoredRepository> =>
  inFolder(async (folder) => storeFiles(ctx, await readFiles({ given, kind: 'auto', folder, maxPages: MAX_PAGES })));

/** A folder for what is fetched and unpacked, which is gone afterwards. */
export async function inFolder<Result>(use: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'stemma-import-'));
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** What is waited for, unless the signal comes first. */
export async function orAborted<Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> {
  work.catch(() => {});
  const { promise, reject } = Promise.withResolvers<never>();
  const aborted = () => reject(signal.reason);
  signal.addEventListener('abort', aborted, { once: true });
  if (signal.aborted) aborted();
  return Promise.race([work, promise]).finally(() => signal.removeEventListener('abort', aborted));
}

function withAdvice(error: unknown, advice: string): unknown {
  const issue = error instanceof Refusal && error.code === 'BAD_USER_INPUT' ? error.issues[0] : undefined;
  return issue ? badInput(issue.path, `${issue.message} ${advice}`) : error;
}

const tooLong = () =>
  badInput(['url'], `This takes longer than ${MAX_MS / 1000} seconds; import it by an import run, or in parts.`);
