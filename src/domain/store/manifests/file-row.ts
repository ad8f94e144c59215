import { getEntries, readManifest } from '../../../lib/tree/manifest.ts';
import type { Context } from '../../../platform/context/context.ts';
import { type RevisionRow, toHex } from '../revisions/index.ts';
import { manifestLoader } from './manifest-source.ts';

/** Properties of stored bytes, independent of the files that use them. */
export interface BlobFacts {
  contentType: string;
  /** In bytes. */
  size: number;
  /** Displayed size in pixels; only for images. */
  width?: number | null;
  height?: number | null;
  /** SHA-256 in hexadecimal. */
  blob: string;
}

/** A file in the manifest of a revision. Its id stays the same when its name or content changes. */
export interface FileEntry extends BlobFacts {
  id: string;
  name: string;
}

/** A file of a revision. */
export interface FileRow extends FileEntry {
  revisionId: string;
  organizationId: string;
}

/** All files of a revision, ordered by id. */
export async function readFiles(ctx: Context, revision: RevisionRow): Promise<FileRow[]> {
  const entries = await readManifest(filesHashOf(revision), filesSource(ctx, revision));
  return entries.map((entry) => rowOf(entry, revision));
}

/** The files of a revision with these ids. Ids that the revision does not have are left out. */
export async function filesIn(
  ctx: Context,
  revision: RevisionRow,
  fileIds: readonly string[],
): Promise<Map<string, FileRow>> {
  const entries = await getEntries(filesHashOf(revision), filesSource(ctx, revision), fileIds);
  return new Map([...entries].map(([id, entry]) => [id, rowOf(entry, revision)]));
}

/**
 * A file of a revision; undefined if the revision does not have it. Reads the path to its entry, not the whole
 * manifest.
 */
export async function fileIn(ctx: Context, revision: RevisionRow, fileId: string): Promise<FileRow | undefined> {
  return (await filesIn(ctx, revision, [fileId])).get(fileId);
}

/** Root of the manifest of files of a revision; null if it has no files. */
export const filesHashOf = ({ filesHash }: RevisionRow): string | null => filesHash && toHex(filesHash);

export const filesSource = (ctx: Context, { organizationId }: RevisionRow) =>
  manifestLoader<FileEntry>(ctx, organizationId);

const rowOf = (entry: FileEntry, { id, organizationId }: RevisionRow): FileRow => ({
  ...entry,
  revisionId: id,
  organizationId,
});
