import type { KeptConfiguration } from '../../../../lib/repository/configuration.ts';
import { planImport } from '../../../../lib/repository/plan.ts';
import { type PlannedPage, pageKey } from '../../../../lib/repository/planned-page.ts';
import { isGoneLink } from './compose-summary.ts';
import type { BranchLayout } from './layout.ts';
import type { BranchContent, TargetPage } from './target.ts';

/** The object of the space behind a path of the branch. */
export interface PathEntry {
  path: string;
  kind: 'page' | 'file' | 'content';
  id: string;
}

/**
 * The objects behind the paths of a branch once it has the target. Pages without a file are found where the changed
 * branch, with the files `paths`, has them.
 */
export async function pathEntries(
  target: BranchContent,
  layout: BranchLayout,
  paths: ReadonlySet<string>,
  {
    read,
    formerConfiguration,
  }: { read: (path: string) => Promise<string>; formerConfiguration: KeptConfiguration | undefined },
): Promise<PathEntry[]> {
  const entries: PathEntry[] = [];
  for (const [id, path] of layout.pages) entries.push({ path, kind: 'page', id });
  for (const [id, path] of layout.files) entries.push({ path, kind: 'file', id });
  for (const [id, path] of layout.contents) entries.push({ path, kind: 'content', id });
  for (const id of target.leftOut) entries.push({ path: `${LEFT_OUT}${id}`, kind: 'file', id });
  const plan = await planImport(
    [...paths].map((path) => ({ path, size: 0 })),
    read,
    { formerConfiguration },
  );
  const byFile = new Map([...layout.pages].map(([id, path]) => [path, id]));
  const children = Map.groupBy(target.pages, ({ parentId }) => parentId);
  const visit = (planned: readonly PlannedPage[], parentId: string | null): void => {
    const rest = (children.get(parentId) ?? []).filter(({ pageId }) => !layout.pages.has(pageId));
    for (const page of planned) {
      const at = page.file === null ? rest.findIndex((other) => isAlike(page, other, layout)) : -1;
      const id = page.file === null ? rest.splice(at, at < 0 ? 0 : 1)[0]?.pageId : byFile.get(page.file);
      if (id === undefined) continue;
      if (page.file === null) entries.push({ path: pageKey(page, parentId), kind: 'page', id });
      visit(page.children, id);
    }
  };
  visit(plan.pages, null);
  return [...new Map(entries.map((entry) => [entry.path, entry])).values()];
}

/** Start of the names of files of a space that its branch does not have. */
export const LEFT_OUT = '//file/';

const isAlike = (page: PlannedPage, other: TargetPage, layout: BranchLayout) =>
  (page.kind === other.kind || isGoneLink(page, other, layout)) &&
  (page.linkTitle ?? page.title) === (other.linkTitle ?? other.title);
