import type { Readable } from 'node:stream';

export type ArchiveErrorCode =
  | 'damaged'
  | 'encrypted'
  | 'unsupported'
  | 'path'
  | 'link'
  | 'duplicate'
  | 'too-many-entries'
  | 'too-large'
  | 'compression'
  | 'missing';

/** An archive or folder is refused. The message names the entry and says what to do; the code is stable. */
export class ArchiveError extends Error {
  readonly code: ArchiveErrorCode;

  constructor(code: ArchiveErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ArchiveError';
    this.code = code;
  }
}

export interface ArchiveOptions {
  /** Most entries, folders and ignored ones included. */
  entries: number;
  /** Most bytes of all entries together, unpacked. */
  totalBytes: number;
  /** Most bytes of one entry, unpacked. */
  entryBytes: number;
  /** Largest expansion of an entry of more than 1 MiB. */
  compressionRatio: number;
  /** Whether a folder that holds everything (as in a repository download) is left out of the paths. */
  stripTopFolder: boolean;
}

export const ARCHIVE_DEFAULTS: ArchiveOptions = {
  entries: 20_000,
  totalBytes: 1024 ** 3,
  entryBytes: 100 * 1024 ** 2,
  compressionRatio: 200,
  stripTopFolder: true,
};

/** A file of an archive. The path has no leading slash, no `.` or `..`, and is in Unicode normal form C. */
export interface ArchiveEntry {
  path: string;
  size: number;
}

/** An opened zip or folder: the list of its files, and each file's bytes on demand. Close it after use. */
export interface Archive {
  readonly entries: readonly ArchiveEntry[];
  /** The bytes of one file; at most `entryBytes` of them. */
  read(path: string): Promise<Buffer>;
  /** The bytes of one file as they are unpacked. The stream fails with an ArchiveError when they are not as declared. */
  stream(path: string): Promise<Readable>;
  /** Waits for the streams that are still open. */
  close(): Promise<void>;
}

export const quoteName = (name: string) => JSON.stringify(name.length > 200 ? `${name.slice(0, 200)}…` : name);

/** The member at a path, or the apiError that there is none. */
export function memberAt<Member>(members: ReadonlyMap<string, Member>, path: string): Member {
  const member = members.get(path);
  if (!member) throw new ArchiveError('missing', `There is no entry ${quoteName(path)} in this archive.`);
  return member;
}
