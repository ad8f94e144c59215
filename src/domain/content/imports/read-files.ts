import type { JSONDocument } from '../../../lib/document/document.ts';
import type { ReportEntry } from '../../../lib/repository/report.ts';
import { badInput } from '../../../platform/errors.ts';
import type { Turn } from '../../../platform/heavy-work/heavy-work.ts';
import { WorkExceeded } from '../../../platform/heavy-work/work-exceeded.ts';
import type { PreparedDocument } from '../../store/bodies/index.ts';
import type { work } from './read-files-work.ts';
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

/** What it posts meanwhile. */
export type ReadingMessage = { progress: { found: number; read: number } } | { page: PackedPage };

/** What it answers. */
export type ReadingOutcome = { done: Omit<ReadRepository, 'pages'> } | { refused: string };

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

const module = new URL('./read-files-work.ts', import.meta.url);

/** As long as one page may take. */
const QUIET_MS = 30_000;

/** Reads files in a thread, whatever is in them: it takes no more than half a minute over one page. Refuses what cannot be read. */
export async function readFiles(
  turn: Turn,
  input: Reading,
  {
    signal,
    progress,
  }: { signal: AbortSignal; progress: ((counts: { found: number; read: number }) => void) | undefined },
): Promise<ReadRepository> {
  const pages: ReadPage[] = [];
  const onMessage = (message: unknown) => {
    const said = message as ReadingMessage; // of our thread
    if ('page' in said) pages.push(unpack(said.page));
    else progress?.(said.progress);
  };
  try {
    const outcome = await turn.inThread<typeof work>(module, input, { limitMs: QUIET_MS, signal, onMessage });
    if ('refused' in outcome) throw badInput(['url'], outcome.refused);
    return { pages, ...outcome.done };
  } catch (error) {
    throw error instanceof WorkExceeded ? badInput(['url'], `It cannot be read: ${error.message}.`) : error;
  }
}
