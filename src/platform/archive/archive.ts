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

/** Rejection of an archive or folder. The message names the entry and how to correct it. The code is stable. */
export class ArchiveError extends Error {
  readonly code: ArchiveErrorCode;

  constructor(code: ArchiveErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ArchiveError';
    this.code = code;
  }
}

export interface ArchiveOptions {
  /** Maximum number of entries, including folders and ignored ones. */
  entries: number;
  /** Maximum unpacked size of all entries together, in bytes. */
  totalBytes: number;
  /** Maximum unpacked size of one entry, in bytes. */
  entryBytes: number;
  /** Maximum compression ratio of entries of more than 1 MiB. */
  compressionRatio: number;
  /** Whether to remove a top folder that contains everything (as in repository downloads) from the paths. */
  stripTopFolder: boolean;
}

export const ARCHIVE_DEFAULTS: ArchiveOptions = {
  entries: 20_000,
  totalBytes: 1024 ** 3,
  entryBytes: 100 * 1024 ** 2,
  compressionRatio: 200,
  stripTopFolder: true,
};

/** A file of an archive. Its path has no leading slash, `.` or `..`, and is in Unicode normal form C. */
export interface ArchiveEntry {
  path: string;
  size: number;
}

/** An opened zip or folder: the list of its files, with their content on demand. Must be closed. */
export interface Archive {
  readonly entries: readonly ArchiveEntry[];
  /** The content of a file, up to `entryBytes`. */
  read(path: string): Promise<Buffer>;
  /** The content of a file as a stream. Fails with an ArchiveError if size or checksum do not match. */
  stream(path: string): Promise<Readable>;
  /** Waits for open streams. */
  close(): Promise<void>;
}

export const quoteName = (name: string) => JSON.stringify(name.length > 200 ? `${name.slice(0, 200)}…` : name);

/** The member at a path. Throws an ArchiveError if there is none. */
export function memberAt<Member>(members: ReadonlyMap<string, Member>, path: string): Member {
  const member = members.get(path);
  if (!member) throw new ArchiveError('missing', `The archive has no entry ${quoteName(path)}.`);
  return member;
}
