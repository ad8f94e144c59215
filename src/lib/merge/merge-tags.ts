import type { ManifestEntry, ManifestSource } from '../tree/manifest.ts';
import { diffManifests } from '../tree/manifest-diff.ts';
import { editManifest } from '../tree/manifest-edit.ts';
import { isSame } from './merge-fields.ts';
import type { MergedManifest } from './merge-manifest.ts';
import { pickSide, type ThreeWay } from './three-way.ts';

/** A tag in a manifest, by its slug. */
interface PlacedTag extends ManifestEntry {
  position: number;
}

/**
 * Merges the tags of three versions by slug. A tag that both sides changed is taken from `theirs`, the primary content:
 * only imports change tags, so no user could resolve a conflict.
 */
export async function mergeTags(
  roots: ThreeWay<string | null>,
  manifests: ManifestSource<ManifestEntry>,
): Promise<MergedManifest> {
  const side = pickSide(roots, (a, b) => a === b);
  if (side) return { rootHash: roots[side], newNodes: [] };
  const source = manifests as ManifestSource<PlacedTag>; // these are manifests of tags
  const ours = await diffManifests(roots.base, roots.ours, source);
  const theirs = await diffManifests(roots.base, roots.theirs, source);
  // A tag that is added or removed moves those after it, which does not change them.
  const changed = theirs.changed.filter(({ before, after }) => !isSame({ ...before, position: after.position }, after));
  const taken = new Set(
    [...theirs.inserted, ...theirs.removed, ...changed.map(({ after }) => after)].map(({ id }) => id),
  );
  const positions = new Map(theirs.changed.map(({ after }) => [after.id, after.position]));
  return editManifest(roots.theirs, source, {
    put: [...ours.inserted, ...ours.changed.map(({ after }) => after)]
      .filter(({ id }) => !taken.has(id))
      .map((tag) => ({ ...tag, position: positions.get(tag.id) ?? tag.position })),
    remove: ours.removed.filter(({ id }) => !taken.has(id)).map(({ id }) => id),
  });
}
