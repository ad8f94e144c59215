import { TreeError } from '../../../lib/tree/error.ts';
import type { Context } from '../../../platform/context/context.ts';
import { badInput, conflict } from '../../../platform/errors/errors.ts';
import type { AppliedChange } from './applied-change.ts';
import { ContentEdit, type EditBase, type EditedContent } from './content-edit.ts';
import type { PreparedChanges } from './prepare-changes.ts';

/** Applies changes in their order, without storing anything. Errors carry the path of the change in the input. */
export async function applyChanges(
  ctx: Context,
  base: EditBase,
  { changes, refs }: PreparedChanges,
): Promise<EditedContent & { applied: AppliedChange[] }> {
  const edit = await ContentEdit.open(ctx, base, refs);
  const applied: AppliedChange[] = [];
  for (const { kind, change, ready, path } of changes) {
    try {
      applied.push(...(await kind.apply(edit, change, ready, path)));
    } catch (error) {
      throw error instanceof TreeError ? apiErrorOf(error, path.slice(0, 2)) : error;
    }
  }
  return { ...(await edit.finish()), applied };
}

/** A duplicate page is a CONFLICT; all other errors of the tree are BAD_USER_INPUT. */
const apiErrorOf = (error: TreeError, path: (string | number)[]) =>
  error.code === 'DUPLICATE_PAGE' ? conflict(error.message) : badInput(path, error.message);
