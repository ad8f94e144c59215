import type { ContentChange } from '../../../lib/diff/content-diff.ts';
import type { LoadedPage } from '../../../lib/tree/rows.ts';
import type { Context } from '../../../platform/context/context.ts';
import { visibleContent } from '../../content/visibility/index.ts';
import { hasRoleToRead } from '../../people/access/index.ts';
import type { RevisionRow } from '../../store/revisions/index.ts';
import { hiddenPages } from '../../store/trees/index.ts';

/**
 * Those of the changes that the caller sees: of pages, files, reusable contents and variables that are visible in the
 * revision that has them, in both if it was edited. Callers with a role on the space see all; previews can have
 * conditions.
 */
export async function visibleChanges(
  ctx: Context,
  before: RevisionRow | null,
  after: RevisionRow,
  changes: ContentChange[],
): Promise<ContentChange[]> {
  if (await hasRoleToRead(ctx, after.spaceId)) return changes;
  const earlier = await visibilityIn(ctx, before);
  const later = await visibilityIn(ctx, after);
  return changes.flatMap((change) => visiblePart(change, earlier, later) ?? []);
}

/** What the caller sees of a change; undefined if that is nothing. */
function visiblePart(change: ContentChange, earlier: Visibility, later: Visibility): ContentChange | undefined {
  switch (change.type) {
    case 'page_created':
      return later.page(change.page) ? change : undefined;
    case 'page_deleted':
      return earlier.page(change.page) ? change : undefined;
    case 'page_edited':
    case 'page_moved':
      return earlier.page(change.before) && later.page(change.after) ? change : undefined;
    case 'file_created':
      return later.has('file', change.entry) ? change : undefined;
    case 'file_deleted':
      return earlier.has('file', change.entry) ? change : undefined;
    case 'file_edited':
      return earlier.has('file', change.before) && later.has('file', change.after) ? change : undefined;
    case 'reusable_content_created':
      return later.has('reusable-content', change.entry) ? change : undefined;
    case 'reusable_content_deleted':
      return earlier.has('reusable-content', change.entry) ? change : undefined;
    case 'reusable_content_edited': {
      const isSeen = earlier.has('reusable-content', change.before) && later.has('reusable-content', change.after);
      return isSeen ? change : undefined;
    }
    case 'variables_edited': {
      const variables = change.variables.filter(
        (one) =>
          (one.before === null || earlier.has('variable', one)) && (one.after === null || later.has('variable', one)),
      );
      return variables.length > 0 ? { ...change, variables } : undefined;
    }
  }
}

type Visibility = Awaited<ReturnType<typeof visibilityIn>>;

async function visibilityIn(ctx: Context, revision: RevisionRow | null) {
  const hidden = revision ? await hiddenPages(ctx, revision) : undefined;
  const visible = revision ? await visibleContent(ctx, revision) : undefined;
  return {
    /** Links have no path that says whether they are below a hidden page: within others, they count as hidden. */
    page: (page: LoadedPage) => !hidden || !(hidden.has(page) || (page.path === null && page.parentId !== null)),
    has: (kind: 'file' | 'reusable-content' | 'variable', { id }: { id: string }) =>
      !visible || visible.ids[kind].has(id),
  };
}
