import type { Context } from '../../../platform/context/context.ts';
import type { Listed } from '../../../platform/paging/page.ts';
import { type FileRow, filesAmong, filesIn, filesOf, readFiles } from '../../store/manifests/index.ts';
import type { RevisionRow } from '../../store/revisions/index.ts';
import { deferredList } from './deferred-list.ts';
import { visibleContent } from './visible-content.ts';

/** The files of a revision that the caller sees, ordered by id. */
export const visibleFilesOf = (ctx: Context, revision: RevisionRow): Listed<FileRow> =>
  deferredList(async () => {
    const visible = await visibleContent(ctx, revision);
    return visible ? filesAmong(ctx, revision, [...visible.ids.file]) : filesOf(ctx, revision);
  });

/** All of them at once. */
export async function readVisibleFiles(ctx: Context, revision: RevisionRow): Promise<FileRow[]> {
  const files = await readFiles(ctx, revision);
  const visible = await visibleContent(ctx, revision);
  return visible ? files.filter(({ id }) => visible.ids.file.has(id)) : files;
}

/** The files of a revision with these ids that the caller sees. */
export async function visibleFilesIn(
  ctx: Context,
  revision: RevisionRow,
  ids: readonly string[],
): Promise<Map<string, FileRow>> {
  const visible = await visibleContent(ctx, revision);
  return filesIn(ctx, revision, visible ? ids.filter((id) => visible.ids.file.has(id)) : ids);
}
