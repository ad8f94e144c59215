import type { SpaceTag } from '../../../lib/repository/tags.ts';
import { readManifest } from '../../../lib/tree/manifest.ts';
import type { Context } from '../../../platform/context/context.ts';
import { type RevisionRow, toHex } from '../revisions/index.ts';
import { manifestLoader } from './manifest-source.ts';

/** A tag in the manifest of a revision. */
export interface TagEntry extends Omit<SpaceTag, 'slug'> {
  /** Slug of the tag. */
  id: string;
  /** Place among the tags of the revision. Not unique after merges; equal ones are ordered by slug. */
  position: number;
}

/** The tags that pages of a revision can have, in order. */
export async function tagsOf(ctx: Context, { organizationId, tagsHash }: RevisionRow): Promise<SpaceTag[]> {
  const source = manifestLoader<TagEntry>(ctx, organizationId);
  const entries = await readManifest(tagsHash && toHex(tagsHash), source);
  return entries
    .toSorted((a, b) => a.position - b.position || (a.id < b.id ? -1 : 1))
    .map(({ id, position: _, ...tag }) => ({ slug: id, ...tag }));
}
