import type { SpaceTag } from '../../../lib/repository/tags.ts';
import type { Context } from '../../../platform/context/context.ts';
import { tagsOf } from '../../store/manifests/index.ts';
import type { RevisionRow } from '../../store/revisions/index.ts';
import { visibleContent } from './visible-content.ts';

/** The tags of a revision that the caller sees, in order. */
export async function visibleTagsOf(ctx: Context, revision: RevisionRow): Promise<SpaceTag[]> {
  const tags = await tagsOf(ctx, revision);
  const visible = tags.length === 0 ? undefined : await visibleContent(ctx, revision);
  return visible ? tags.filter(({ slug }) => visible.ids.tag.has(slug)) : tags;
}
