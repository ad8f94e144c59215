import type { Context } from '../../../platform/context/context.ts';
import type { Listed } from '../../../platform/paging/page.ts';
import {
  type ReusableContentRow,
  type RevisionOfContents,
  readReusableContents,
  reusableContentsAmong,
  reusableContentsIn,
  reusableContentsOf,
} from '../../store/manifests/index.ts';
import { deferredList } from './deferred-list.ts';
import { visibleContent } from './visible-content.ts';

/** The reusable contents of a revision that the caller sees, ordered by id. */
export const visibleContentsOf = (ctx: Context, revision: RevisionOfContents): Listed<ReusableContentRow> =>
  deferredList(async () => {
    const visible = await visibleContent(ctx, revision);
    return visible
      ? reusableContentsAmong(ctx, revision, [...visible.ids['reusable-content']])
      : reusableContentsOf(ctx, revision);
  });

/** All of them at once. */
export async function readVisibleContents(ctx: Context, revision: RevisionOfContents): Promise<ReusableContentRow[]> {
  const contents = await readReusableContents(ctx, revision);
  const visible = await visibleContent(ctx, revision);
  return visible ? contents.filter(({ id }) => visible.ids['reusable-content'].has(id)) : contents;
}

/** The reusable contents of a revision with these ids that the caller sees. */
export async function visibleContentsIn(
  ctx: Context,
  revision: RevisionOfContents,
  ids: readonly string[],
): Promise<Map<string, ReusableContentRow>> {
  const visible = await visibleContent(ctx, revision);
  const seen = visible ? ids.filter((id) => visible.ids['reusable-content'].has(id)) : ids;
  return reusableContentsIn(ctx, revision, seen);
}
