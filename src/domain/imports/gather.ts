import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Context } from '../../platform/context.ts';
import { type CrawlLimits, crawlSite } from './crawl/crawl-site.ts';
import { readFiles } from './read-files.ts';
import type { GivenFile, SourceKind } from './sources/given-file.ts';
import { type StoredRepository, storeFiles } from './store-files.ts';

/** How much is gathered, what ends it, and who is told. */
export interface Gathering {
  limits: CrawlLimits;
  /** What to do where a site has more pages than the limit: refuse it, or nothing, and so many are read. */
  overLimit(pages: number): void;
  signal?: AbortSignal;
  progress?(counts: { found: number; read: number }): void;
}

/** A site as content, its images in storage. */
export const gatherSite = (ctx: Context, url: string, gathering: Gathering): Promise<StoredRepository> =>
  inFolder(async (folder) => {
    const { limits, overLimit, progress, signal = new AbortController().signal } = gathering;
    const { fetch } = ctx.services;
    const crawled = await orAborted(signal, crawlSite(url, { fetch, folder, limits, signal, overLimit, progress }));
    const reading = { given: [], kind: 'auto' as const, folder, maxPages: limits.pages, crawled };
    return storeFiles(ctx, await readFiles(reading, { signal }), signal);
  });

/** Files, or folders, as content, and what their pages use in storage. `bring` may put files into the folder it is given. */
export const gatherFiles = (
  ctx: Context,
  kind: SourceKind,
  { limits, signal, progress }: Gathering,
  bring: (folder: string) => Promise<GivenFile[]>,
): Promise<StoredRepository> =>
  inFolder(async (folder) => {
    const reading = { given: await bring(folder), kind, folder, maxPages: limits.pages };
    const options = { ...(signal ? { signal } : {}), ...(progress ? { progress } : {}) };
    return storeFiles(ctx, await readFiles(reading, options), signal);
  });

/** A folder for what is fetched and unpacked, which is gone afterwards. */
async function inFolder<Result>(use: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'stemma-import-'));
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** What is waited for, unless the signal comes first. */
function orAborted<Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> {
  work.catch(() => {});
  const { promise, reject } = Promise.withResolvers<never>();
  const aborted = () => reject(signal.reason);
  signal.addEventListener('abort', aborted, { once: true });
  if (signal.aborted) aborted();
  return Promise.race([work, promise]).finally(() => signal.removeEventListener('abort', aborted));
}
