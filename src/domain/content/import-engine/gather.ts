import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { orAborted } from '../../../lib/or-aborted.ts';
import type { Context } from '../../../platform/context/context.ts';
import type { HeavyWorkOf } from '../../../platform/heavy-work/heavy-work.ts';
import { atEnd } from '../../../platform/operation/cleanup.ts';
import type { CrawlLimits } from './crawl/crawl-options.ts';
import { crawlSite } from './crawl/crawl-site.ts';
import { makePageReader } from './crawl/page-reader.ts';
import { EarlyBodyWriter } from './early-body-writer.ts';
import { readImportFiles } from './read-import-files.ts';
import type { ReadingInput } from './reading.ts';
import type { ImportFile, RepositorySource, SourceKind } from './sources/source.ts';
import { SpoolReader } from './spool.ts';
import { type StoredRepository, storeFiles } from './store-files.ts';

/** Limits, cancellation and progress of reading a source. */
export interface Gathering {
  limits: CrawlLimits;
  /**
   * Called when a website exceeds a limit. If it does not throw, the result has everything that was read up to the
   * limit.
   */
  overLimit(): void;
  /** Ends downloading, reading and waiting for a slot. Its reason is thrown. */
  signal?: AbortSignal;
  /** The space that the pages will be in, if they are to be indexed while they are read. */
  spaceId?: string | undefined;
  progress?(counts: { pagesFound: number; pagesRead: number }): void;
}

/** Whom the work is for. The content is held until the scope of the context ends. */
type Of = Pick<HeavyWorkOf<Context>, 'ctx' | 'organizationId'>;

/** Reads a website. Its images are put into storage. */
export const gatherSite = (of: Of, url: string, gathering: Gathering): Promise<StoredRepository> =>
  inFolder(of.ctx, async (folder) => {
    const { limits, overLimit, progress } = gathering;
    const { fetch } = of.ctx.services;
    const crawled = await fetching(of, gathering, (signal) => {
      const readPage = makePageReader({ ...of, signal });
      return crawlSite(url, { fetch, readPage, folder, limits, signal, overLimit, progress });
    });
    return read(of, { files: [], kind: 'auto', folder, maxPages: limits.pages, crawled }, gathering);
  });

/** Reads files or folders. Files that pages use are put into storage. `bring` can put files into the given folder. */
export const gatherFiles = (
  of: Of,
  kind: SourceKind,
  gathering: Gathering,
  bring: (folder: string) => Promise<ImportFile[]>,
): Promise<StoredRepository> =>
  inFolder(of.ctx, async (folder) => {
    const files = await fetching(of, gathering, () => bring(folder));
    return read(of, { files, kind, folder, maxPages: gathering.limits.pages }, gathering);
  });

/** Reads files that are on this machine already. Those that pages use are put into storage. */
export const gatherFolder = (
  of: Of,
  folder: string,
  source: Omit<RepositorySource, 'read'>,
  gathering: Gathering,
): Promise<StoredRepository> =>
  read(of, { files: [], kind: 'auto', folder, maxPages: gathering.limits.pages, crawled: source }, gathering, false);

async function fetching<Result>(
  of: Of,
  { signal }: Gathering,
  act: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  using slot = await of.ctx.services.heavyWork.begin('fetch-source', { ...of, signal });
  return await orAborted(slot.signal, act(slot.signal));
}

/** The slot is kept until the end of the scope, because the content occupies memory until it is written. */
async function read(
  of: Of,
  reading: Omit<ReadingInput, 'publicUrl'>,
  { signal, progress, spaceId }: Gathering,
  storesEarly = true,
): Promise<StoredRepository> {
  const slot = await of.ctx.services.heavyWork.begin('import', { ...of, signal });
  atEnd(of.ctx, () => slot[Symbol.dispose]());
  const spool = new SpoolReader(reading.folder);
  atEnd(of.ctx, () => spool.close());
  // The content that a folder is compared with decides which bodies are stored.
  const early =
    of.organizationId === undefined || !storesEarly
      ? undefined
      : new EarlyBodyWriter(of.ctx, { organizationId: of.organizationId, spaceId });
  const repository = await readImportFiles(
    slot,
    { ...reading, publicUrl: of.ctx.services.config.publicUrl },
    { signal: slot.signal, progress, spool, early },
  );
  return await storeFiles(of.ctx, repository, slot.signal);
}

/** Runs with a temporary folder, which is removed at the end of the scope, since the bodies are in it until then. */
async function inFolder<Result>(ctx: Context, use: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'stemma-import-'));
  atEnd(ctx, () => rm(folder, { recursive: true, force: true }));
  return use(folder);
}
