import type { Outcome, ReportEntry } from '../../../lib/repository/report.ts';
import type { SpaceTag } from '../../../lib/repository/tags.ts';
import type { FormerPath } from '../../store/trees/index.ts';
import type { PackedBody } from './read-body.ts';
import type { ReadContent, ReadPage, UsedFile } from './read-repository.ts';
import type { ImportFile, Source, SourceKind } from './sources/source.ts';

/** Input of the worker. */
export interface Reading {
  files: ImportFile[];
  kind: SourceKind;
  /** Folder for unpacked archives, and for the spool with the bodies. */
  folder: string;
  maxPages: number;
  /** URL of this service, to find URLs of its content. */
  publicUrl: string;
  /** Pages that were downloaded, each in its own file. Replaces `files`. */
  crawled?: Omit<Source, 'read'>;
}

/** A message that the worker posts while it reads. */
export type ReadingMessage = { progress: { pagesFound: number; pagesRead: number } } | { page: PackedPage };

/** Result of the worker. */
export type ReadingOutcome =
  | { done: Omit<ReadRepository, 'pages' | 'contents'> & { contents: PackedContent[] } }
  | { refused: string }
  | { tooManyPages: number };

/** A page as a message. */
export type PackedPage = Omit<ReadPage, 'body'> & { body: PackedBody | undefined };

/** A reusable content as a message. */
export type PackedContent = Omit<ReadContent, 'body'> & Pick<PackedPage, 'body'>;

/** Source read as content that is not stored yet. Parents come before their children. */
export interface ReadRepository {
  pages: ReadPage[];
  files: UsedFile[];
  contents: ReadContent[];
  variables: Record<string, string | number | boolean>;
  /** Tags that pages can have, in order. */
  tags: SpaceTag[];
  /** Former paths of pages, from `.gitbook.yaml`. */
  redirects: FormerPath[];
  report: ReportEntry[];
  /** Numbers of the entries beyond those that are listed. */
  unlisted: Readonly<Record<Outcome, number>>;
  pageCount: number;
}
