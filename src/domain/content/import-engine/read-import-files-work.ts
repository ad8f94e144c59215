import { readFileSync } from 'node:fs';
import { BoundedReport } from '../../../lib/repository/bounded-report.ts';
import { newTags, newVariables } from '../../../lib/repository/new-entries.ts';
import type { ReportEntry } from '../../../lib/repository/report.ts';
import { ArchiveError } from '../../../platform/archive/archive.ts';
import { ApiError } from '../../../platform/errors/errors.ts';
import { TooManyPages } from './import-size.ts';
import { pack } from './read-body.ts';
import { type Listener, readRepository } from './read-repository.ts';
import type { ReadingInput, ReadingMessage, ReadingOutcome, ReadRepository } from './reading.ts';
import type { OpenedSource, openSource } from './sources/open-source.ts';
import { decodeText, type SourceFile } from './sources/source.ts';
import { SpoolWriter } from './spool.ts';

const BEAT_MS = 200;

type Post = (message: ReadingMessage) => void;

/** Runs in a worker. Posts each page as soon as it is read, so that no single message blocks the receiver for long. */
export async function work(reading: ReadingInput, post: Post): Promise<ReadingOutcome> {
  const spool = new SpoolWriter(reading.folder);
  try {
    return { done: await readAll(reading, post, spool) };
  } catch (error) {
    if (error instanceof TooManyPages) return { tooManyPages: error.pages };
    if (error instanceof ArchiveError) return { refused: error.message };
    if (error instanceof ApiError) {
      const [issue] = error.issues;
      return { refused: issue?.message ?? error.message, code: issue?.code };
    }
    throw error;
  } finally {
    spool.close();
  }
}

async function readAll(reading: ReadingInput, post: Post, spool: SpoolWriter) {
  const total: Extract<ReadingOutcome, { done: unknown }>['done'] = {
    files: [],
    contents: [],
    variables: undefined,
    tags: undefined,
    redirects: [],
    keptConfiguration: undefined,
    report: [],
    unlisted: { kept: 0, changed: 0, dropped: 0 },
    pageCount: 0,
  };
  let settingsLength = 0;
  const report = new BoundedReport();
  const listener = tell(post, spool, reading.publicUrl);
  for (const open of openersOf(reading)) {
    const { sources, close } = await open();
    try {
      for (const source of sources) {
        const limits = { maxPages: reading.maxPages, earlier: { pageCount: total.pageCount, settingsLength } };
        const read = await readRepository(source, limits, listener);
        for (const file of read.files) total.files.push(file);
        for (const { body, ...content } of read.contents) {
          total.contents.push({ ...content, body: body && pack(body, spool, reading.publicUrl) });
        }
        report.add(addEntries(total, read));
        total.keptConfiguration = read.keptConfiguration;
        for (const redirect of read.redirects) total.redirects.push(redirect);
        report.add(read.report.entries, read.report.more);
        total.pageCount += read.pageCount;
        settingsLength += read.settingsLength;
      }
    } finally {
      await close();
    }
  }
  return { ...total, report: report.entries, unlisted: report.more };
}

/** Adds the variables and tags of a source to those of earlier ones, which stay as they are. */
function addEntries(
  total: Pick<ReadRepository, 'variables' | 'tags'>,
  read: Pick<ReadRepository, 'variables' | 'tags'>,
): ReportEntry[] {
  const entries: ReportEntry[] = [];
  if (read.variables) {
    const { variables, report } = newVariables(total.variables ?? {}, read.variables, 'an earlier file');
    total.variables = { ...total.variables, ...variables };
    entries.push(...report);
  }
  if (read.tags) {
    const { tags, report } = newTags(total.tags ?? [], read.tags, 'an earlier file');
    total.tags = [...(total.tags ?? []), ...tags];
    entries.push(...report);
  }
  return entries;
}

/** One opener per source. A source is opened after the previous one was closed. */
function openersOf({ files, kind, folder, crawled }: ReadingInput): (() => Promise<OpenedSource>)[] {
  if (!crawled) return files.map((file) => () => open(file, kind, folder));
  const byPath = new Map(crawled.files.map((file) => [file.path, file]));
  const read = async (path: string) => decodeText(bytesOf(byPath.get(path)), path, crawled.report);
  return [async () => ({ sources: [{ ...crawled, read }], close: async () => {} })];
}

/** Folders on this machine need none of the readers of other formats, which take longer to load than a page to read. */
async function open(...of: Parameters<typeof openSource>): Promise<OpenedSource> {
  const { openSource } = await import('./sources/open-source.ts');
  return openSource(...of);
}

/** Runs in a worker, so blocking is safe. */
const bytesOf = (file: SourceFile | undefined) => readFileSync(file?.place.container ?? '');

function tell(post: Post, spool: SpoolWriter, publicUrl: string): Listener {
  let pagesFound = 0;
  let pagesRead = 0;
  let last = 0;
  const postProgress = () => {
    const now = performance.now();
    if (now - last < BEAT_MS) return;
    last = now;
    post({ progress: { pagesFound, pagesRead } });
  };
  return {
    expectPages(count) {
      pagesFound += count;
      postProgress();
    },
    onFile: postProgress,
    page({ body, ...page }) {
      pagesRead += 1;
      post({ page: { ...page, body: body && pack(body, spool, publicUrl) } });
      postProgress();
    },
  };
}
