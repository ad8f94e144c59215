import type { KeptConfiguration } from '../../../../lib/repository/configuration.ts';
import type { ExternalFiles } from '../../../../lib/repository/external-files.ts';
import type { ReportEntry } from '../../../../lib/repository/report.ts';
import type { SummaryItem } from '../../../../lib/repository/summary.ts';
import type { Archive } from '../../../../platform/archive/archive.ts';

/** How a source is read. `auto` detects the type by the content, `zip` does so for archives only. */
export type SourceKind = 'auto' | 'zip' | 'markdown' | 'html' | 'docx' | 'confluence' | 'github-wiki' | 'notion';

/** A file or folder to import. */
export interface ImportFile {
  path: string;
  name: string;
}

/** Location of the bytes of a file on this machine: a file, or an entry of an archive. */
export interface FileLocation {
  container: string;
  entry?: string;
}

/** A file of a source, by the path that links to it use. */
export interface SourceFile {
  path: string;
  size: number;
  place: FileLocation;
}

/** A source as a repository of Markdown and other files. */
export interface RepositorySource {
  files: readonly SourceFile[];
  /** The text of a Markdown file. Called once per file. */
  read(path: string): Promise<string>;
  /** The table of contents, if it is not in a file of its own. */
  contents?: readonly SummaryItem[] | undefined;
  /** Paths by other names that links use. */
  aliases?: ReadonlyMap<string, string>;
  /** Original names of files that were converted to Markdown. Line numbers of the Markdown do not apply to them. */
  names?: ReadonlyMap<string, string>;
  /** Ids that parts of the source have already. Others get new ones. */
  ids?: KnownIds;
  /** Settings that are used if `.gitbook.yaml` does not say which folder has the documentation. */
  formerConfiguration?: KeptConfiguration | undefined;
  /** URLs for links to files of a larger repository that the source is a directory of. */
  external?: ExternalFiles;
  /** Parts that could not be converted unchanged. Grows while files are read. */
  report: ReportEntry[];
  /** Entries for files that were not imported. Called after all files were read. */
  leftOut?(): ReportEntry[];
}

/** Ids of pages by `ReadPage.key`, and of files and reusable contents by their path. */
export interface KnownIds {
  pages: ReadonlyMap<string, string>;
  files: ReadonlyMap<string, string>;
  contents: ReadonlyMap<string, string>;
  /** Pages that keep the bodies that they have, by `ReadPage.key`. Their bodies are not read. */
  kept?: ReadonlyMap<string, string>;
}

/** The files of one or more archives. */
export interface OpenedFiles {
  files: SourceFile[];
  read(path: string): Promise<Buffer>;
}

/** The files of an opened archive. */
export const archiveFiles = (archive: Archive, container: string): OpenedFiles => ({
  files: archive.entries.map(({ path, size }) => ({ path, size, place: { container, entry: path } })),
  read: (path) => archive.read(path),
});

const strict = new TextDecoder('utf-8', { fatal: true });

/** Decodes UTF-8. Invalid bytes are replaced and reported. */
export function decodeText(bytes: Buffer, file: string, report: ReportEntry[]): string {
  try {
    return strict.decode(bytes);
  } catch {
    const message = 'The file is not valid UTF-8. Invalid bytes were replaced.';
    report.push({ severity: 'warning', outcome: 'changed', file, message });
    return bytes.toString('utf8');
  }
}
