import type { JSONDocument } from '../../lib/document/document.ts';
import type { ReportEntry } from '../../lib/repository/report.ts';
import { badInput } from '../../platform/errors.ts';
import { runThread, ThreadError } from '../../platform/thread.ts';
import type { PreparedDocument } from '../documents/index.ts';
import type { ReadPage, UsedFile } from './read-repository.ts';
import type { GivenFile, SourceKind } from './sources/given-file.ts';
import type { Source } from './sources/source.ts';

/** What a thread is to read. */
export interface Reading {
  given: GivenFile[];
  kind: SourceKind;
  /** A folder for what has to be unpacked. */
  folder: string;
  maxPages: number;
  /** Instead of given files: pages that were fetched, each in a file of its own. */
  crawled?: Omit<Source, 'read'>;
}

/** What it says of it. */
export type ThreadMessage =
  | { progress: { found: number; read: number } }
  | { page: PackedPage }
  | { done: Omit<ReadRepository, 'pages'> }
  | { refused: string };

/** A page with its body as text: what a thread says is made anew by the receiver, at once, and text is made fastest. */
export type PackedPage = Omit<ReadPage, 'document'> & {
  document: (Omit<PreparedDocument, 'body'> & { bodyText: string }) | undefined;
};

/** Documentation as content: nothing of it is stored yet. Parents come before their children. */
export interface ReadRepository {
  pages: ReadPage[];
  files: UsedFile[];
  report: ReportEntry[];
  pageCount: number;
}

export interface ReadOptions {
  signal?: AbortSignal;
  progress?(counts: { found: number; read: number }): void;
}

/** The body is read where somebody asks for it; storing it takes its text. */
function unpack({ document, ...page }: PackedPage): ReadPage {
  if (!document) return { ...page, document };
  const { bodyText } = document;
  return {
    ...page,
    document: {
      ...document,
      get body(): JSONDocument {
        return JSON.parse(bodyText);
      },
    },
  };
}

const THREAD = new URL('./read-thread.ts', import.meta.url);

/** As long as one page may take. */
const QUIET_MS = 30_000;

/**
 * Reads files in a thread of their own, whatever is in them: it takes no more than half a minute over one page and 768 MB
 * over all. Refuses what cannot be read.
 */
export async function readFiles(reading: Reading, { signal, progress }: ReadOptions = {}): Promise<ReadRepository> {
  const pages: ReadPage[] = [];
  let outcome: ThreadMessage | undefined;
  const take = (message: unknown) => {
    const said = message as ThreadMessage; // of our thread
    if ('page' in said) pages.push(unpack(said.page));
    else if ('progress' in said) progress?.(said.progress);
    else outcome = said;
  };
  try {
    await runThread(THREAD, take, { data: reading, quietMs: QUIET_MS, ...(signal ? { signal } : {}) });
  } catch (error) {
    throw error instanceof ThreadError ? badInput(['url'], `It cannot be read: ${error.message}.`) : error;
  }
  if (outcome && 'done' in outcome) return { pages, ...outcome.done };
  throw outcome && 'refused' in outcome ? badInput(['url'], outcome.refused) : new Error('Nothing was read.');
}
