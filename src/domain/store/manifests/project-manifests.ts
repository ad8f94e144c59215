import type { ManifestEntry } from '../../../lib/tree/manifest.ts';
import { diffManifests } from '../../../lib/tree/manifest-diff.ts';
import type { ManifestEdit } from '../../../lib/tree/manifest-edit.ts';
import type { Context } from '../../../platform/context.ts';
import type { RevisionRow } from '../revisions/index.ts';
import { toHex } from '../revisions/index.ts';
import type { FileEntry } from './file-entry.ts';
import { manifestSource } from './manifest-source.ts';
import { projectFiles } from './project-files.ts';
import { projectReusableContents } from './project-reusable-contents.ts';
import type { ReusableContentEntry } from './reusable-content-entry.ts';

/**
 * Updates the projections of a space's files and reusable contents from one revision to another, in proportion to the
 * difference. Variables have no projection, because there are few of them.
 */
export async function projectManifests(
  ctx: Context,
  target: { organizationId: string; spaceId: string },
  from: RevisionRow,
  to: RevisionRow,
): Promise<void> {
  const { organizationId } = target;
  await projectFiles(ctx, target, await editBetween<FileEntry>(ctx, organizationId, from.filesHash, to.filesHash));
  const reusable = await editBetween<ReusableContentEntry>(
    ctx,
    organizationId,
    from.reusableContentsHash,
    to.reusableContentsHash,
  );
  await projectReusableContents(ctx, target, reusable);
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
