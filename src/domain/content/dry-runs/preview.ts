import { formatPatch, OMIT_HEADERS, structuredPatch } from 'diff';
import { makeYielder } from '../../../lib/tick.ts';
import { diffTrees, type PlacedPage } from '../../../lib/tree/diff.ts';
import type { Context } from '../../../platform/context/context.ts';
import { type RevisionRow, toHex } from '../../store/revisions/index.ts';
import { nodeSource } from '../../store/trees/index.ts';
import { linksOf, type Version } from '../links/index.ts';
import { readPageText } from '../page-texts/index.ts';

/** What a command that was only tried would change in a page. */
export interface PagePreview {
  pageId: string;
  title: string;
  effect: 'created' | 'updated' | 'moved' | 'deleted';
  /** Changed fields, and `document` for the body. */
  fields: string[];
  /** Differences of the text as a unified diff; null if the text stays, or has too many. */
  diff: string | null;
}

/** A link that the command would break. */
export interface BrokenLinkPreview {
  /** Id of the page or reusable content with the link. */
  locationId: string;
  blockKey: string | null;
  ref: { kind: string; [member: string]: unknown };
}

/** What a command that was only tried would change. */
export interface ContentPreview {
  pages: PagePreview[];
  pagesCount: number;
  hasFileChanges: boolean;
  hasReusableContentChanges: boolean;
  hasVariableChanges: boolean;
  brokenLinks: BrokenLinkPreview[];
  /** Null if there are too many broken links to compare. */
  brokenLinksCount: number | null;
}

/** The preview of a command that would change nothing. */
export const NO_CHANGES: ContentPreview = {
  pages: [],
  pagesCount: 0,
  hasFileChanges: false,
  hasReusableContentChanges: false,
  hasVariableChanges: false,
  brokenLinks: [],
  brokenLinksCount: 0,
};

/** Maximum number of pages and links that a preview lists. */
export const MAX_PREVIEWED = 100;

/** Maximum length of the diffs of a page and of all pages. */
const MAX_DIFF = 20_000;
const MAX_DIFFS = 200_000;

/** Number of pages whose texts are read at once. */
const MAX_AT_ONCE = 10;

/**
 * Maximum number of removed and added lines. Finding the fewest takes quadratic time, under the locks of the command.
 */
export const MAX_CHANGED_LINES = 500;

/** Number of characters of texts that are compared for all pages. */
const MAX_COMPARED = 2_000_000;

/** Number of broken links that are compared. */
const MAX_BROKEN = 1_000;

/** The contents before and after a command. */
export interface PreviewedStep {
  before: RevisionRow;
  after: RevisionRow;
  /** The links that were broken before, as `brokenLinks` returned them then. */
  broken: readonly BrokenLinkPreview[] | null;
  /** The content after the command, for its links. */
  version: Version;
}

/** Compares the contents before and after a command, inside of its transaction. */
export async function previewChanges(outer: Context, step: PreviewedStep): Promise<ContentPreview> {
  // A new context, since this one has cached the links from before the command.
  const ctx = { ...outer };
  const brokenNow = await newlyBroken(ctx, step);
  const changed = await differingPages(ctx, step);
  const pages: PagePreview[] = [];
  for await (const { page } of previewPages(ctx, step, changed.slice(0, MAX_PREVIEWED))) pages.push(page);
  return {
    pages,
    pagesCount: changed.length,
    ...changesBesidesPages(step),
    brokenLinks: brokenNow?.slice(0, MAX_PREVIEWED) ?? [],
    brokenLinksCount: brokenNow?.length ?? null,
  };
}

/** Two contents that are compared. */
type Step = Pick<PreviewedStep, 'before' | 'after'>;

/** What differs between two contents besides their pages. */
export const changesBesidesPages = ({ before, after }: Step) => ({
  hasFileChanges: differs(before.filesHash, after.filesHash),
  hasReusableContentChanges: differs(before.reusableContentsHash, after.reusableContentsHash),
  hasVariableChanges: differs(before.variablesHash, after.variablesHash),
});

/** The pages that differ between two contents, always in the same order. */
export async function differingPages(ctx: Context, { before, after }: Step): Promise<ChangedPage[]> {
  const source = nodeSource(ctx.db, after.organizationId);
  const { inserted, deleted, changed, moved } = await diffTrees(toHex(before.rootHash), toHex(after.rootHash), source);
  const isChanged = new Set(changed.map((pair) => pair.after.pageId));
  return [
    ...inserted.map((page): ChangedPage => ({ page, after: page, effect: 'created', fields: [] })),
    ...changed.map(
      (pair): ChangedPage => ({
        page: pair.after,
        before: pair.before,
        after: pair.after,
        effect: 'updated',
        fields: pair.fields,
      }),
    ),
    ...moved
      .filter((pair) => !isChanged.has(pair.after.pageId))
      .map((pair): ChangedPage => ({ page: pair.after, effect: 'moved', fields: [] })),
    ...deleted.map((page): ChangedPage => ({ page, before: page, effect: 'deleted', fields: [] })),
  ];
}

/** A page that differs between two contents. */
export interface ChangedPage extends Pick<PagePreview, 'effect' | 'fields'> {
  page: PlacedPage;
  /** The versions whose texts are compared. */
  before?: PlacedPage;
  after?: PlacedPage;
}

/**
 * Compares pages one after the other, as far as the caller reads. `isComplete` is false for pages whose texts were not
 * compared because those before them used up the limits of all.
 */
export async function* previewPages(
  ctx: Context,
  { before, after }: Step,
  changed: readonly ChangedPage[],
): AsyncGenerator<{ page: PagePreview; isComplete: boolean }, void, undefined> {
  const pause = makeYielder();
  let length = 0;
  let readCharacters = 0;
  for (let start = 0; start < changed.length; start += MAX_AT_ONCE) {
    const some = changed.slice(start, start + MAX_AT_ONCE);
    const isWithinLimits = () => length < MAX_DIFFS && readCharacters < MAX_COMPARED;
    const texts = await Promise.all(
      some.map((page) => (isWithinLimits() && hasOtherText(page) ? textsOf(ctx, before, after, page) : undefined)),
    );
    for (const [i, change] of some.entries()) {
      await pause();
      const isComplete = isWithinLimits() || !hasOtherText(change);
      const [former, present] = texts[i] ?? ['', ''];
      const diff = isWithinLimits() ? diffOf(former, present) : null;
      readCharacters += former.length + present.length;
      length += diff?.length ?? 0;
      const { page, effect, fields } = change;
      yield { page: { pageId: page.pageId, title: titleOf(page), effect, fields, diff }, isComplete };
    }
  }
}

const hasOtherText = (page: ChangedPage): boolean => textKeyOf(page.before) !== textKeyOf(page.after);

const textsOf = (ctx: Context, before: RevisionRow, after: RevisionRow, page: ChangedPage): Promise<[string, string]> =>
  Promise.all([textIn(ctx, before, page.before), textIn(ctx, after, page.after)]);

const titleOf = ({ node }: PlacedPage): string => node.fields.title;

const textKeyOf = (page: PlacedPage | undefined): string =>
  page?.node.kind === 'document' ? `${page.node.documentHash} ${page.node.sourceHash}` : 'undefined undefined';

async function textIn(ctx: Context, revision: RevisionRow, page: PlacedPage | undefined): Promise<string> {
  if (page?.node.kind !== 'document') return '';
  const { documentHash, sourceHash } = page.node;
  return (await readPageText(ctx, revision, { pageId: page.pageId, documentHash, sourceHash })).text;
}

function diffOf(before: string, after: string): string | null {
  if (before === after) return null;
  const patch = structuredPatch('', '', before, after, '', '', { context: 2, maxEditLength: MAX_CHANGED_LINES });
  const diff = patch ? formatPatch(patch, OMIT_HEADERS) : undefined;
  return diff !== undefined && diff.length <= MAX_DIFF ? diff : null;
}

const differs = (before: Uint8Array | null, after: Uint8Array | null): boolean =>
  (before && toHex(before)) !== (after && toHex(after));

/** The links that are broken after a command, and were not before. Null if there are too many broken links. */
async function newlyBroken(ctx: Context, { broken, version }: PreviewedStep): Promise<BrokenLinkPreview[] | null> {
  const now = await brokenLinks(ctx, version);
  if (!broken || !now) return null;
  const keyOf = ({ locationId, ref }: BrokenLinkPreview) => `${locationId} ${JSON.stringify(ref)}`;
  // A page can have several equal links.
  const brokenBefore = new Map<string, number>();
  for (const link of broken) brokenBefore.set(keyOf(link), (brokenBefore.get(keyOf(link)) ?? 0) + 1);
  return now.filter((link) => {
    const count = brokenBefore.get(keyOf(link)) ?? 0;
    brokenBefore.set(keyOf(link), count - 1);
    return count <= 0;
  });
}

/** The broken links of a content. Null if there are too many to compare. */
export async function brokenLinks(ctx: Context, version: Version): Promise<BrokenLinkPreview[] | null> {
  const broken = linksOf(ctx, version, { status: 'broken' });
  const { rows, hasNext } = await broken.page({ size: MAX_BROKEN, direction: 'forward' });
  if (hasNext) return null;
  return rows.map(({ locationId, blockKey, ref }) => ({ locationId, blockKey, ref }));
}
