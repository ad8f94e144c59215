import type { SpaceTag } from '../../../lib/repository/tags.ts';
import type { Context } from '../../../platform/context/context.ts';
import type { Listed } from '../../../platform/paging/page.ts';
import {
  type FileRow,
  filesAmong,
  filesIn,
  filesOf,
  type ReusableContentRow,
  type RevisionOfContents,
  readFiles,
  readReusableContents,
  reusableContentsAmong,
  reusableContentsIn,
  reusableContentsOf,
  tagsOf,
  variablesOf,
} from '../../store/manifests/index.ts';
import type { RevisionRow } from '../../store/revisions/index.ts';
import type { Variables } from './expression-scope.ts';
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

/** The tags of a revision that the caller sees, in order. */
export async function visibleTagsOf(ctx: Context, revision: RevisionRow): Promise<SpaceTag[]> {
  const tags = await tagsOf(ctx, revision);
  const visible = tags.length === 0 ? undefined : await visibleContent(ctx, revision);
  return visible ? tags.filter(({ slug }) => visible.ids.tag.has(slug)) : tags;
}

/** The variables of a revision that the caller sees, by name. */
export async function visibleVariablesOf(ctx: Context, revision: RevisionRow): Promise<Variables> {
  const variables = await variablesOf(ctx, revision);
  const visible = Object.keys(variables).length === 0 ? undefined : await visibleContent(ctx, revision);
  if (!visible) return variables;
  return Object.fromEntries(Object.entries(variables).filter(([name]) => visible.ids.variable.has(name)));
}

/** A list that is only chosen when it is read. */
function deferredList<Row>(choose: () => Promise<Listed<Row>>): Listed<Row> {
  return {
    page: async (paging) => (await choose()).page(paging),
    total: async () => (await choose()).total(),
  };
}
