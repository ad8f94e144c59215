import type { RepositoryPlan } from '../../../../lib/repository/plan.ts';
import { type PlannedPage, pageKey } from '../../../../lib/repository/planned-page.ts';
import type { KnownIds } from '../../../content/import-engine/index.ts';
import type { BranchContent, TargetPage } from './target.ts';

/** Pages of a branch by the ids that they have in the space. */
export type PagesOfPlan = Map<string, { page: PlannedPage; parentId: string | null }>;

/** The pages of a plan by the ids that they have in the space. */
export function pagesOfPlan(plan: RepositoryPlan, ids: KnownIds): PagesOfPlan {
  const pages: PagesOfPlan = new Map();
  const visit = (page: PlannedPage, parentId: string | null, place: string) => {
    const pageId = ids.pages.get(pageKey(page, parentId));
    // Pages that the space does not have are told apart by their place.
    const id = pageId === undefined || pages.has(pageId) ? `new ${place}` : pageId;
    pages.set(id, { page, parentId });
    for (const [index, child] of page.children.entries()) visit(child, id, `${place}.${index}`);
  };
  for (const [index, page] of plan.pages.entries()) visit(page, null, String(index));
  return pages;
}

/** Paths of the files of pages by id. */
export const filesOfPages = (pages: PagesOfPlan): Map<string, string> =>
  new Map([...pages].flatMap(([id, { page }]) => (page.file === null ? [] : [[id, page.file] as const])));

/** Documents that the branch has without a file keep being entries of the table of contents while they are empty. */
export function withoutFile({ pages: targets }: BranchContent, pages: PagesOfPlan): Set<string> {
  const isBare = ({ pageId, body, fields }: TargetPage) =>
    body === undefined && fields.description === undefined && pages.get(pageId)?.page.file === null;
  return new Set(targets.filter(isBare).map(({ pageId }) => pageId));
}
