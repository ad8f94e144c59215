import type { ManifestEntry } from '../../../lib/tree/manifest.ts';
import { diffManifests } from '../../../lib/tree/manifest-diff.ts';
import type { ManifestEdit } from '../../../lib/tree/manifest-edit.ts';
import type { Context } from '../../../platform/context/context.ts';
import type { RevisionRow } from '../revisions/index.ts';
import { toHex } from '../revisions/index.ts';
import type { FileEntry } from './file-row.ts';
import { manifestSource } from './manifest-source.ts';
import { projectFiles } from './project-files.ts';
import { projectReusableContents } from './project-reusable-contents.ts';
import type { ReusableContentEntry } from './reusable-content-row.ts';

/** The differences between the files and the reusable contents of two revisions. */
export interface ManifestEdits {
  files: ManifestEdit<FileEntry>;
  reusableContents: ManifestEdit<ReusableContentEntry>;
}

/** Compares the files and reusable contents of two revisions of an organization, in proportion to the difference. */
export async function compareManifests(
  ctx: Context,
  organizationId: string,
  from: RevisionRow,
  to: RevisionRow,
): Promise<ManifestEdits> {
  return {
    files: await editBetween<FileEntry>(ctx, organizationId, from.filesHash, to.filesHash),
    reusableContents: await editBetween<ReusableContentEntry>(
      ctx,
      organizationId,
      from.reusableContentsHash,
      to.reusableContentsHash,
    ),
  };
}

/**
 * Updates the projections of a space's files and reusable contents, in proportion to the difference. Variables have no
 * projection, because there are few of them.
 */
export async function projectManifests(
  ctx: Context,
  target: { organizationId: string; spaceId: string },
  { files, reusableContents }: ManifestEdits,
): Promise<void> {
  await projectFiles(ctx, target, files);
  await projectReusableContents(ctx, target, reusableContents);
}

/** The edits that turn one manifest into another. */
async function editBetween<Entry extends ManifestEntry>(
  ctx: Context,
  organizationId: string,
  from: Uint8Array | null,
  to: Uint8Array | null,
): Promise<ManifestEdit<Entry>> {
  const [before, after] = [from && toHex(from), to && toHex(to)];
  if (before === after) return {};
  const source = manifestSource<Entry>(ctx.db, organizationId);
  const { inserted, changed, removed } = await diffManifests(before, after, source);
  return { put: [...inserted, ...changed.map((pair) => pair.after)], remove: removed.map(({ id }) => id) };
}
