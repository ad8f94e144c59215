import type { SpaceTag } from '../../../lib/repository/tags.ts';

/** A tag in the manifest of a revision. */
export interface TagEntry extends Omit<SpaceTag, 'slug'> {
  /** Slug of the tag. */
  id: string;
  /** Place among the tags of the revision. Not unique after merges; equal ones are ordered by slug. */
  position: number;
}
