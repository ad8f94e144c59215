import { getEntries, readManifest } from '../../../lib/tree/manifest.ts';
import type { Context } from '../../../platform/context.ts';
import { type RevisionRow, toHex } from '../revisions/index.ts';
import type { FileEntry } from './file-entry.ts';
import { manifestLoader } from './manifest-source.ts';

/** A file of one revision. */
export interface FileRow extends FileEntry {
  revisionId: string;
  organizationId: string;
}

/** All files of a revision, by id. */
export async function readFiles(ctx: Context, revision: RevisionRow): Promise<FileRow[]> {
  const entries = await readManifest(filesHashOf(revision), filesSource(ctx, revision));
  return entries.map((entry) => rowOf(entry, revision));
}

/** The files with these ids, as far as the revision has them. */
export async function filesIn(
  ctx: Context,
  revision: RevisionRow,
  fileIds: readonly string[],
): Promise<Map<string, FileRow>> {
  const found = await getEntries(filesHashOf(revision), filesSource(ctx, revision), fileIds);
  return new Map([...found].map(([id, entry]) => [id, rowOf(entry, revision)]));
}

/** One file of a revision; undefined when it has none with this id. Reads the way to it, not all files. */
export async function fileIn(ctx: Context, revision: RevisionRow, fileId: string): Promise<FileRow | undefined> {
  return (await filesIn(ctx, revision, [fileId])).get(fileId);
}

/** The root of a revision's manifest of files; null when it has no file. */
export const filesHashOf = ({ filesHash }: RevisionRow): string | null => filesHash && toHex(filesHash);

export const filesSource = (ctx: Context, { organizationId }: RevisionRow) =>
  manifestLoader<FileEntry>(ctx, organizationId);

const rowOf = (entry: FileEntry, { id, organizationId }: RevisionRow): FileRow => ({
  ...entry,
  revisionId: id,
  organizationId,
});
