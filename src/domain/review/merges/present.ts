import { z } from 'zod';
import type { Context } from '../../../platform/context.ts';
import { idIn, namedShape, objectIs } from '../../../platform/shapes.ts';
import { conflictPage } from './conflict-page.ts';
import { MAX_SHOWN, type ShownConflict } from './conflicts-of.ts';
import { conflictKind, conflictTarget, mergeResult, pullResult } from './enums.ts';
import type { Outcome } from './outcome.ts';
import { shownVersion } from './shown-version.ts';

/** A conflict in REST. */
export async function presentConflict(conflict: ShownConflict, ctx: Context) {
  const { target, versions } = conflict;
  const organizationId = versions.theirs.organizationId;
  const version = async (side: 'base' | 'ours' | 'theirs') => {
    const shown = await shownVersion(ctx, organizationId, conflict[side]);
    return shown && whereSet({ ...shown });
  };
  const view = target.type === 'page' && target.id !== null ? await conflictPage(ctx, conflict, target.id) : null;
  const [base, ours, theirs] = await Promise.all([version('base'), version('ours'), version('theirs')]);
  return {
    object: 'merge-conflict',
    id: conflict.id,
    kind: conflict.kind,
    target: target.type,
    ...whereSet({ targetId: target.id, field: conflict.field, block: conflict.block }),
    ...(view && { page: whereSet({ id: view.page.pageId, title: view.page.title, path: view.page.path }) }),
    pages: conflict.pages,
    base,
    ours,
    theirs,
  };
}

/** What a merge or an update came to, in REST: a revision and a result, and at most 100 conflicts. */
export async function presentOutcome({ result, revisionId, conflicts }: Outcome<'merge' | 'update'>, ctx: Context) {
  if (result !== 'conflicts') return { revision: revisionId, result };
  const found = await Promise.all(conflicts.slice(0, MAX_SHOWN).map((conflict) => presentConflict(conflict, ctx)));
  return { revision: revisionId, result, conflicts: found };
}

const whereSet = (members: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null));

const versionShape = z
  .object({
    markdown: z.string().optional().describe('A block or a body as Markdown, a text as it is.'),
    document: z.unknown().optional().describe('A block or a body as a document.'),
    value: z.unknown().optional().describe('Fields and places.'),
  })
  .nullable();

export const conflictShape = namedShape('MergeConflict', 'Something that two sides changed differently.', {
  object: objectIs('merge-conflict'),
  id: z.string().describe('Made of everything below: another version makes it another conflict.'),
  kind: conflictKind.describe('How the two sides contradict each other.'),
  target: conflictTarget.describe('What it is about.'),
  targetId: z.string().optional().describe('Id of what it is about; absent for the top level of the tree.'),
  field: z.string().optional().describe('The field, where it is about one.'),
  block: z.string().optional().describe('The key of the block, where it is about one.'),
  page: z
    .object({
      id: idIn('page'),
      title: z.string().describe('Its title.'),
      path: z.string().optional().describe('Its path; links have none.'),
    })
    .optional()
    .describe('The page, where it is about one.'),
  pages: z.array(z.string()).describe('Ids of the other pages that take part.'),
  base: versionShape.describe('What both sides began with; null where there was nothing.'),
  ours: versionShape.describe('What the change request has; null where it has nothing.'),
  theirs: versionShape.describe('What the primary content has; null where it has nothing.'),
});

const conflicts = z
  .array(conflictShape)
  .optional()
  .describe(`What both sides changed, with the result \`conflicts\`: the first ${MAX_SHOWN}.`);

export const mergeShape = namedShape('ChangeRequestMerge', 'What came of merging a change request.', {
  revision: idIn('rev', "The primary content that it became or, with conflicts, the change request's own."),
  result: mergeResult.describe('What came of it.'),
  conflicts,
});

export const pullShape = namedShape('ChangeRequestUpdate', 'What came of bringing a change request up to date.', {
  revision: idIn('rev', 'The content of the change request.'),
  result: pullResult.describe('What came of it.'),
  conflicts,
});
