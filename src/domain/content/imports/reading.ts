import type { ReportEntry } from '../../../lib/repository/report.ts';
import type { PackedDocument } from './packed-document.ts';
import type { ReadContent, ReadPage, UsedFile } from './read-repository.ts';
import type { GivenFile, SourceKind } from './sources/given-file.ts';
import type { Source } from './sources/source.ts';

/** Input of the thread. */
export interface Reading {
  given: GivenFile[];
  kind: SourceKind;
  /** Folder for unpacked archives. */
  folder: string;
  maxPages: number;
  /** Pages that were downloaded, each in its own file. Replaces `given`. */
  crawled?: Omit<Source, 'read'>;
}

/** A message that the thread posts while it reads. */
export type ReadingMessage = { progress: { found: number; read: number } } | { page: PackedPage };

/** Result of the thread. */
export type ReadingOutcome =
  | { done: Omit<ReadRepository, 'pages' | 'contents'> & { contents: PackedContent[] } }
  | { refused: string }
  | { tooManyPages: number };

/** A page as a message: the receiver deserializes messages synchronously, which is fastest for bytes. */
export type PackedPage = Omit<ReadPage, 'document'> & { document: PackedDocument | undefined };

/** A reusable content with its body as text. */
export type PackedContent = Omit<ReadContent, 'document'> & Pick<PackedPage, 'document'>;

/** Source read as content that is not stored yet. Parents come before their children. */
export interface ReadRepository {
  pages: ReadPage[];
  files: UsedFile[];
  contents: ReadContent[];
  variables: Record<string, string | number | boolean>;
  report: ReportEntry[];
  pageCount: number;
}
