import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HeavyWorkOf } from '../../../platform/heavy-work/heavy-work.ts';
import { atEnd } from '../../../platform/scope.ts';
import { type CrawlLimits, crawlSite } from './crawl/crawl-site.ts';
import { makePageReader } from './crawl/page-reader.ts';
import { type Reading, readFiles } from './read-files.ts';
import type { GivenFile, SourceKind } from './sources/given-file.ts';
import { type StoredRepository, storeFiles } from './store-files.ts';

/** How much is gathered, what ends it, and who is told. */
export interface Gathering {
  limits: CrawlLimits;
  /** How long fetching may take, and again reading; waiting for a turn counts for neither. */
  late?: { afterMs: number; reason(): unknown };
  /** What to do where a site has more pages than the limit: refuse it, or nothing, and so many are read. */
  overLimit(pages: number): void;
  signal?: AbortSignal;
  progress?(counts: { found: number; read: number }): void;
}

/** Who the work is for. Its context is in a scope, which what was read takes memory until the end of. */
type Of = Pick<HeavyWorkOf, 'ctx' | 'organizationId'>;

/** A site as content, its images in storage. */
export const gatherSite = (of: Of, url: string, gathering: Gathering): Promise<StoredRepository> =>
  inFolder(async (folder) => {
    const { limits, overLimit, progress } = gathering;
    const { fetch } = of.ctx.services;
    const crawled = await fetching(of, gathering, (signal) => {
      const readPage = makePageReader({ ...of, signal });
      return crawlSite(url, { fetch, readPage, folder, limits, signal, overLimit, progress });
    });
    return read(of, { given: [], kind: 'auto', folder, maxPages: limits.pages, crawled }, gathering);
  });

/** Files, or folders, as content, and what their pages use in storage. `bring` may put files into the folder it is given. */
export const gatherFiles = (
  of: Of,
  kind: SourceKind,
  gathering: Gathering,
  bring: (folder: string) => Promise<GivenFile[]>,
): Promise<StoredRepository> =>
  inFolder(async (folder) => {
    const given = await fetching(of, gathering, () => bring(folder));
    return read(of, { given, kind, folder, maxPages: gathering.limits.pages }, gathering);
  });

async function fetching<Result>(
  of: Of,
  { signal, late }: Gathering,
  act: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  using turn = await of.ctx.services.heavyWork.begin('fetch-source', { ...of, signal });
  using time = within(turn.signal, late);
  return await orAborted(time.signal, act(time.signal));
}

/** Content takes memory until it is written, so its turn lasts as long. */
async function read(of: Of, reading: Reading, { signal, late, progress }: Gathering): Promise<StoredRepository> {
  const turn = await of.ctx.services.heavyWork.begin('import', { ...of, signal });
  atEnd(of.ctx, () => turn[Symbol.dispose]());
  using time = within(turn.signal, late);
  const repository = await readFiles(turn, reading, { signal: time.signal, progress });
  return await storeFiles(of.ctx, repository, time.signal);
}

/** A signal that is aborted when another one is, or it is too late. */
function within(signal: AbortSignal, late: Gathering['late']): { signal: AbortSignal } & Disposable {
  if (!late) return { signal, [Symbol.dispose]: () => {} };
  const over = new AbortController();
  const timer = setTimeout(() => over.abort(late.reason()), late.afterMs);
  return { signal: AbortSignal.any([signal, over.signal]), [Symbol.dispose]: () => clearTimeout(timer) };
}

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
