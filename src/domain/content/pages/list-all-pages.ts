import { z } from 'zod';
import { type OutlineItem, rangeBelow, type TreeOutline } from '../../../lib/tree/outline.ts';
import type { Context } from '../../../platform/context/context.ts';
import { badInput } from '../../../platform/errors/errors.ts';
import { idOf, query } from '../../../platform/operation/operation.ts';
import { cursorCodec } from '../../../platform/paging/cursor.ts';
import type { Listed, ListPage, Paging } from '../../../platform/paging/page.ts';
import type { ReadRevision } from '../computed-sources/index.ts';
import { revisionName, revisionOf } from '../revisions/index.ts';
import { pageKind } from './enums.ts';
import { type PagesByParent, type PageView, treeOf, viewOf } from './page-view.ts';
import { wholeTreeOf } from './whole-tree.ts';

/** Maximum number of pages that are listed at once: more than other lists, so that a sidebar takes few requests. */
export const MAX_ALL_PAGES = 1_000;

const choice = {
  kinds: z
    .array(pageKind)
    .min(1)
    .max(10)
    .nullish()
    .describe('Only pages of these kinds. Default: all kinds. `depth` does not depend on it.'),
  isHidden: z
    .boolean()
    .nullish()
    .describe(
      '`false`: without hidden pages and the pages below them, as on published sites. `true`: only these. Default: all pages.',
    ),
  below: idOf('page')
    .nullish()
    .describe(
      'Only the pages below the page with this `pageId`, at any depth. BAD_USER_INPUT if there is no such page.',
    ),
  around: idOf('page')
    .nullish()
    .describe(
      'Begins with the part of the list that has the page with this `pageId` in its middle, so that a sidebar can show a page far down. ' +
        'Continue with `after`, and with `last` and `before`, which take precedence. BAD_USER_INPUT if there is no such page.',
    ),
};

type Choice = z.output<z.ZodObject<typeof choice>>;

export const listAllPages = query({
  name: 'listAllPages',
  description:
    'Lists the pages at all levels of the page tree, up to 1,000 at a time, from the top down: each page before its child pages, ' +
    'siblings in order. If the tree changes between two requests, the list continues after the page of the cursor. BAD_USER_INPUT if ' +
    'that page is no longer in the list: request it again from its beginning.',
  openToAnonymous: true,
  input: z.object({ ...revisionName, ...choice }),
  authorize: (ctx, { spaceId = '', revisionId, changeRequestId }) =>
    revisionOf(ctx, { spaceId, revisionId, changeRequestId }),
  run: async (ctx, { kinds, isHidden, below, around, ...name }) =>
    allPagesOf(ctx, (await revisionOf(ctx, name)).revision, { kinds, isHidden, below, around }),
});

/**
 * The pages of a revision that the caller sees, at all levels. Reads the tree of the revision when a page or the total
 * is read.
 */
export function allPagesOf(
  ctx: Context,
  revision: ReadRevision,
  { kinds, isHidden, below, around }: Choice,
): Listed<PageView> {
  const chosen = { kinds: kinds ?? undefined, isHidden: isHidden ?? undefined, below: below ?? undefined };
  let reading: Promise<List> | undefined;
  const list = () => {
    reading ??= readList(ctx, revision, chosen);
    return reading;
  };
  const of = revision.currentOf ?? revision.id;
  const binding = `pages:${of}:${JSON.stringify({ ...chosen, isUncomputed: revision.isUncomputed })}`;
  return {
    page: async (paging) => pageOf(ctx, revision, await list(), { paging, binding, around: around ?? undefined }),
    total: async () => (await list()).listed.length,
  };
}

/** No list of pages, for a space without content. */
export const noPages: Listed<PageView> = {
  page: async () => ({ rows: [], hasNext: false, hasPrevious: false, cursorOf: () => '' }),
  total: async () => 0,
};

/** The chosen part of an outline. */
interface List {
  tree: PagesByParent;
  outline: TreeOutline;
  /** The part that the list is about, before the choice of kinds and of hidden pages. */
  range: [number, number];
  /** Places of the listed pages in the outline. */
  listed: number[];
}

type Chosen = { [Name in Exclude<keyof Choice, 'around'>]: NonNullable<Choice[Name]> | undefined };

async function readList(ctx: Context, revision: ReadRevision, { kinds, isHidden, below }: Chosen): Promise<List> {
  const tree = await treeOf(ctx, revision);
  const outline = await wholeTreeOf(tree).outline;
  const range = below === undefined ? ([0, outline.items.length] satisfies [number, number]) : rangeOf(outline, below);
  const isListed = (item: OutlineItem) =>
    (kinds === undefined || kinds.includes(item.page.kind)) && (isHidden === undefined || item.isHidden === isHidden);
  const [start, end] = range;
  const listed = outline.items.slice(start, end).flatMap((item, index) => (isListed(item) ? [start + index] : []));
  return { tree, outline, range, listed };
}

function rangeOf(outline: TreeOutline, pageId: string): [number, number] {
  const place = outline.places.get(pageId);
  if (place === undefined) throw badInput(['below'], `There is no page "${pageId}".`);
  return rangeBelow(outline, place);
}

function pageOf(
  ctx: Context,
  revision: ReadRevision,
  { tree, outline, range, listed }: List,
  { paging, binding, around }: { paging: Paging; binding: string; around: string | undefined },
): ListPage<PageView> {
  const { size, direction, cursor } = paging;
  const isForward = direction === 'forward';
  const codec = cursorCodec(ctx.services.secretKeys, binding, 1);
  const argument = isForward ? 'after' : 'before';
  const at = cursor === undefined ? undefined : placeAt(codec.decode(cursor, [argument])[0], outline, range, argument);
  const before = (place: number | undefined) =>
    place === undefined ? listed.length : listed.filter((each) => each < place).length;
  const middle = at === undefined && around !== undefined ? before(placeAround(around, outline, range)) : undefined;
  const [start, end] =
    middle !== undefined
      ? partAround(middle, size, listed.length)
      : isForward
        ? partAfter(at === undefined ? 0 : before(at + 1), size, listed.length)
        : partBefore(before(at), size);
  const rows = listed.slice(start, end).flatMap((place) => outline.items[place]?.page ?? []);
  return {
    rows: rows.map((page) => viewOf(page, revision, tree)),
    hasNext: end < listed.length,
    hasPrevious: start > 0,
    cursorOf: ({ page }) => codec.encode([page.pageId]),
  };
}

/** The start and the end of a part of a list. */
type Part = [start: number, end: number];

const partAfter = (start: number, size: number, length: number): Part => [start, Math.min(length, start + size)];

const partBefore = (end: number, size: number): Part => [Math.max(0, end - size), end];

/** A part of that size, or the whole list, with an index as near to its middle as the ends of the list allow. */
const partAround = (middle: number, size: number, length: number): Part =>
  partAfter(Math.max(0, Math.min(middle - Math.floor(size / 2), length - size)), size, length);

function placeAround(pageId: string, { places }: TreeOutline, [start, end]: [number, number]): number {
  const place = places.get(pageId);
  if (place !== undefined && place >= start && place < end) return place;
  throw badInput(['around'], `The list has no page "${pageId}".`, 'NOT_FOUND');
}

/** The place of a cursor, whose page can have been moved or deleted since. */
function placeAt(pageId: unknown, { places }: TreeOutline, [start, end]: [number, number], argument: string): number {
  const place = places.get(String(pageId));
  if (place !== undefined && place >= start && place < end) return place;
  throw badInput(
    [argument],
    'The page at this cursor is no longer in the list. Request the list again from its beginning.',
  );
}
