import { readFile } from 'node:fs/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { ArchiveError } from '../../platform/archive/archive.ts';
import { Refusal } from '../../platform/errors.ts';
import type { PreparedDocument } from '../documents/index.ts';
import type { PackedPage, Reading, ThreadMessage } from './read-files.ts';
import { type Listener, readRepository, tooManyPages } from './read-repository.ts';
import { type Opened, openSource } from './sources/open-source.ts';
import { decodeText, type SourceFile } from './sources/source.ts';

const BEAT_MS = 200;

const post = (message: ThreadMessage) => parentPort?.postMessage(message);

/** Reads what it was begun with, and says every page as it comes, so that none holds the receiver for long. */
async function readAll(reading: Reading): Promise<void> {
  const total = { files: [], report: [], pageCount: 0 } as Extract<ThreadMessage, { done: unknown }>['done'];
  const listener = tell();
  for (const open of openersOf(reading)) {
    const { source, close } = await open();
    try {
      const read = await readRepository(source, reading.maxPages, listener);
      total.files.push(...read.files);
      total.report.push(...read.report);
      total.pageCount += read.pageCount;
    } finally {
      await close();
    }
    if (total.pageCount > reading.maxPages) throw tooManyPages(total.pageCount, reading.maxPages);
  }
  post({ done: total });
}

/** One opener for each source: the next one is opened when the one before has been read. */
function openersOf({ given, kind, folder, crawled }: Reading): (() => Promise<Opened>)[] {
  if (!crawled) return given.map((file) => () => openSource(file, kind, folder));
  const byPath = new Map(crawled.files.map((file) => [file.path, file]));
  const read = async (path: string) => decodeText(await bytesOf(byPath.get(path)), path, crawled.report);
  return [async () => ({ source: { ...crawled, read }, close: async () => {} })];
}

const bytesOf = (file: SourceFile | undefined) => readFile(file?.place.container ?? '');

function packed({ body, ...document }: PreparedDocument): PackedPage['document'] {
  return { ...document, bodyText: JSON.stringify(body) };
}

function tell(): Listener {
  let found = 0;
  let read = 0;
  let last = 0;
  const beat = () => {
    const now = performance.now();
    if (now - last < BEAT_MS) return;
    last = now;
    post({ progress: { found, read } });
  };
  return {
    found(pages) {
      found += pages;
      beat();
    },
    beat,
    page({ document, ...page }) {
      read += 1;
      post({ page: { ...page, document: document && packed(document) } });
      beat();
    },
  };
}

try {
  // What `readFiles` begins this thread with.
  await readAll(workerData as Reading);
} catch (error) {
  if (error instanceof ArchiveError) post({ refused: error.message });
  else if (error instanceof Refusal) post({ refused: error.issues[0]?.message ?? error.message });
  else throw error;
}
