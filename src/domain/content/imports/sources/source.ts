import { buffer } from 'node:stream/consumers';
import type { ReportEntry } from '../../../../lib/repository/report.ts';
import type { SummaryItem } from '../../../../lib/repository/summary.ts';
import type { Archive } from '../../../../platform/archive/archive.ts';

/** Where the bytes of a file are: an entry of an archive on this machine, or a file of it. */
export interface Place {
  container: string;
  entry?: string;
}

/** A file of a source, by the path that links to it use. */
export interface SourceFile {
  path: string;
  size: number;
  place: Place;
}

/** Something to import, read as a repository: Markdown and other files under their paths. */
export interface Source {
  files: readonly SourceFile[];
  /** The text of a Markdown file; read once. */
  read(path: string): Promise<string>;
  /** The table of contents, where it is not in a file of its own. */
  contents?: readonly SummaryItem[] | undefined;
  /** Files by other names that links use. */
  aliases?: ReadonlyMap<string, string>;
  /** What a file was called before it became Markdown; lines of the Markdown are then none of it. */
  names?: ReadonlyMap<string, string>;
  /** What became of things while they were made into Markdown; grows while files are read. */
  report: ReportEntry[];
}

/** Files of some archives together, and their bytes. */
export interface OpenedFiles {
  files: SourceFile[];
  read(path: string): Promise<Buffer>;
}

/** The files of an opened archive. */
export const filesOf = (archive: Archive, container: string): OpenedFiles => ({
  files: archive.entries.map(({ path, size }) => ({ path, size, place: { container, entry: path } })),
  read: async (path) => buffer(await archive.stream(path)),
});

const strict = new TextDecoder('utf-8', { fatal: true });

/** Text in UTF-8; bytes that are none are replaced, and the file is reported. */
export function decodeText(bytes: Buffer, file: string, report: ReportEntry[]): string {
  try {
    return strict.decode(bytes);
  } catch {
    const message = 'The file is not valid UTF-8; what could not be read was replaced.';
    report.push({ severity: 'warning', outcome: 'changed', file, message });
    return bytes.toString('utf8');
  }
}
