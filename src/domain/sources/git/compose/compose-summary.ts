import type { ContentRef } from '../../../../lib/document/content-ref.ts';
import { stableUrl } from '../../../../lib/document/stable-url.ts';
import type { RepositoryPlan } from '../../../../lib/repository/plan.ts';
import type { PlannedPage } from '../../../../lib/repository/planned-page.ts';
import { parseSummary, type SummaryItem } from '../../../../lib/repository/summary.ts';
import { patchSummary, type SummaryEntry, type WrittenEntry } from '../../../../lib/repository/write/patch-summary.ts';
import { addressBetween, type BranchLayout } from './layout.ts';
import type { BranchContent, TargetPage } from './target.ts';

interface SummaryInput {
  plan: RepositoryPlan;
  pages: ReadonlyMap<string, { page: PlannedPage; parentId: string | null }>;
  target: BranchContent;
  oldLayout: BranchLayout;
  layout: BranchLayout;
  /** The table of contents in the branch. */
  read: string | undefined;
}

/**
 * The table of contents for a target; undefined if it stays as it is, or if the branch needs none. `titles` are the
 * titles that it gives to pages.
 */
export function composeSummary(input: SummaryInput): { text: string | undefined; titles: Map<string, string> } {
  const { target, plan, read, pages } = input;
  const before = read === undefined ? [] : writtenEntries(read, pages);
  const isSame = hasSameStructure(input);
  if (isSame) {
    const listedTitles = before.map(({ id, title }) => [id, title] as const);
    const others = [...pages]
      .filter(([, { page }]) => page.line === undefined)
      .map(([id, { page }]) => [id, page.title] as const);
    return { text: undefined, titles: new Map([...others, ...listedTitles]) };
  }
  const entries = wantedEntries(input, before);
  const titles = new Map(entries.map(({ id, title }) => [id, title]));
  if (target.pages.length === 0 && read === undefined) return { text: undefined, titles };
  const text = patchSummary(read ?? '', before, entries);
  return { text: text === read ? undefined : text, titles: withHome(titles, plan, pages) };
}

/** The home page has its own title where the table of contents does not list it. */
function withHome(titles: Map<string, string>, plan: RepositoryPlan, pages: SummaryInput['pages']) {
  for (const [id, { page }] of pages)
    if (page.file === plan.known.readme && !titles.has(id)) titles.set(id, page.title);
  return titles;
}

/** Whether the branch has the same pages in the same places with the same titles and links. */
function hasSameStructure({ pages, target, layout, oldLayout, read }: SummaryInput): boolean {
  // Computed pages have no files, and no place in the table of contents.
  const order = orderOf(target.pages).filter(({ kind }) => kind !== 'computed');
  if (pages.size !== order.length) return false;
  return [...pages].every(([id, { page, parentId }], index) => {
    const other = order[index];
    if (other?.pageId !== id || other.parentId !== parentId) return false;
    if (other.kind !== page.kind && !isGoneLink(page, other, layout)) return false;
    const isNamed = (other.linkTitle ?? other.title) === (page.linkTitle ?? page.title);
    // Without a table of contents, a page is named by its file.
    if (!isNamed && (read !== undefined || page.file === null || other.linkTitle !== undefined)) return false;
    if (other.kind === 'link') return isSameLink(page, other, { oldLayout, layout });
    return layout.pages.get(id) === (page.file ?? undefined);
  });
}

function isSameLink(
  page: PlannedPage,
  other: TargetPage,
  { oldLayout, layout }: Pick<SummaryInput, 'oldLayout' | 'layout'>,
): boolean {
  const { target, href } = page;
  const newTarget = other.target;
  if (isGoneLink(page, other, layout)) return true;
  if (target?.kind === 'broken' || !target) return newTarget?.kind === 'url' && newTarget.url === href;
  const ref = (newTarget && layout.lacks(newTarget) ? oldLayout : layout).refOfTarget(target);
  return ref !== undefined && newTarget !== undefined && stableUrl(ref) === stableUrl(newTarget);
}

/** Whether the entry of a deleted page was a link to it. */
export const isGoneLink = (
  { kind, file, path }: Pick<PlannedPage, 'kind' | 'file' | 'path'>,
  other: Pick<TargetPage, 'kind' | 'target'>,
  layout: BranchLayout,
): boolean =>
  kind === 'document' &&
  file === null &&
  path !== null &&
  other.kind === 'link' &&
  other.target !== undefined &&
  layout.lacks(other.target);

/** Pages before their children, siblings in order. */
function orderOf(pages: readonly TargetPage[]): TargetPage[] {
  const children = Map.groupBy(pages, ({ parentId }) => parentId);
  const below = (parentId: string | null): TargetPage[] =>
    (children.get(parentId) ?? []).flatMap((page) => [page, ...below(page.pageId)]);
  return below(null);
}

/** The entries of the text, by the pages that their lines became. */
function writtenEntries(text: string, pages: SummaryInput['pages']): WrittenEntry[] {
  const byLine = new Map([...pages].map(([id, { page }]) => [page.line, id]));
  const entries: WrittenEntry[] = [];
  const visit = (items: readonly SummaryItem[], depth: number, inGroup: boolean): void => {
    for (const { title, linkTitle, url, isHeading, line, children } of items) {
      const id = byLine.get(line) ?? `line ${line}`;
      entries.push({ id, depth, isHeading, inGroup, title, shortTitle: linkTitle, url, line });
      visit(children, isHeading ? depth : depth + 1, inGroup || isHeading);
    }
  };
  visit(parseSummary(text.replace(/\r\n?/g, '\n')).items, 0, false);
  return entries;
}

function wantedEntries(
  { target, layout, oldLayout, plan, pages }: SummaryInput,
  before: readonly WrittenEntry[],
): SummaryEntry[] {
  const entriesById = new Map(before.map((entry) => [entry.id, entry]));
  const summary = plan.configuration.summary;
  const children = Map.groupBy(target.pages, ({ parentId }) => parentId);
  const entries: SummaryEntry[] = [];
  const visit = (page: TargetPage, depth: number, inGroup: boolean): void => {
    const { pageId, kind, title, linkTitle } = page;
    const old = entriesById.get(pageId);
    if (kind === 'computed' || (!old && isUnlistedHome(pages.get(pageId)?.page, plan, depth, entries))) return;
    const label = linkTitle ?? title;
    const isHeading = kind === 'group' && depth === 0 && !inGroup && (old?.isHeading ?? true);
    const names = namesFor(old, label);
    const url = urlOf(page, old, { layout, oldLayout, summary, planned: pages.get(pageId)?.page });
    entries.push({ id: pageId, depth, isHeading, inGroup, ...names, url });
    for (const child of children.get(pageId) ?? []) visit(child, isHeading ? depth : depth + 1, inGroup || isHeading);
  };
  for (const page of children.get(null) ?? []) visit(page, 0, false);
  return entries;
}

const isUnlistedHome = (
  page: PlannedPage | undefined,
  plan: RepositoryPlan,
  depth: number,
  entries: readonly unknown[],
) =>
  page !== undefined &&
  page.line === undefined &&
  page.file === plan.known.readme &&
  depth === 0 &&
  entries.length === 0 &&
  plan.known.files.has(plan.configuration.summary);

function namesFor(old: WrittenEntry | undefined, label: string): Pick<SummaryEntry, 'title' | 'shortTitle'> {
  if (!old || (old.shortTitle ?? old.title) === label)
    return { title: old?.title ?? label, shortTitle: old?.shortTitle };
  return old.shortTitle === undefined ? { title: label } : { title: old.title, shortTitle: label };
}

function urlOf(
  page: TargetPage,
  old: WrittenEntry | undefined,
  {
    layout,
    oldLayout,
    summary,
    planned,
  }: { layout: BranchLayout; oldLayout: BranchLayout; summary: string; planned: PlannedPage | undefined },
) {
  const path = layout.pages.get(page.pageId);
  if (page.kind === 'link') {
    const isKept = old && planned && isSameLink(planned, page, { oldLayout, layout });
    return isKept ? old.url : page.target && linkUrl(page.target, layout, summary);
  }
  if (path === undefined || (old?.url !== undefined && planned?.file === path)) return old?.url;
  return addressBetween(summary, path);
}

const linkUrl = (ref: ContentRef, layout: BranchLayout, summary: string) =>
  ref.kind === 'url' ? ref.url : (layout.urlFor(summary, ref) ?? layout.addressOfGone(ref) ?? stableUrl(ref));
