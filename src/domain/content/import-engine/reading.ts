import type { KeptConfiguration } from '../../../lib/repository/configuration.ts';
import type { ReportEntry, ReportOutcome } from '../../../lib/repository/report.ts';
import type { SpaceTag } from '../../../lib/repository/tags.ts';
import type { VariableValue } from '../../../lib/repository/variables.ts';
import type { IssueCode } from '../../../platform/errors/errors.ts';
import type { FormerPath } from '../../store/trees/index.ts';
import type { PackedBody } from './read-body.ts';
import type { ReadContent, ReadPage } from './read-repository.ts';
import type { UsedFile } from './repository-references.ts';
import type { ImportFile, RepositorySource, SourceKind } from './sources/source.ts';

/** Input of the worker. */
export interface ReadingInput {
  files: ImportFile[];
  kind: SourceKind;
  /** Folder for unpacked archives, and for the spool with the bodies. */
  folder: string;
  maxPages: number;
  /** URL of this service, to find URLs of its content. */
  publicUrl: string;
  /** Pages that were downloaded, each in its own file. Replaces `files`. */
  crawled?: Omit<RepositorySource, 'read'>;
}

/** A message that the worker posts while it reads. */
export type ReadingMessage = { progress: { pagesFound: number; pagesRead: number } } | { page: PackedPage };

/** Result of the worker. */
export type ReadingOutcome =
  | { done: Omit<ReadRepository, 'pages' | 'contents'> & { contents: PackedContent[] } }
  | { refused: string; code?: IssueCode | undefined }
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
  /** Undefined if their file cannot be read. */
  variables: Record<string, VariableValue> | undefined;
  /** Tags that pages can have, in order. Undefined if their file cannot be read. */
  tags: SpaceTag[] | undefined;
  /** Former paths of pages, from `.gitbook.yaml`. */
  redirects: FormerPath[];
  /** The settings to use if `.gitbook.yaml` cannot be read later on. Of several sources, those of the last one. */
  keptConfiguration: KeptConfiguration | undefined;
  report: ReportEntry[];
  /** Numbers of the entries beyond those that are listed. */
  unlisted: Readonly<Record<ReportOutcome, number>>;
  pageCount: number;
}
