import type { Conflict } from '../../../lib/merge/conflict.ts';
import { type ApiError, conflict } from '../../../platform/errors/errors.ts';

/** Maximum number of conflicts named in the message. */
const MAX_NAMED_CONFLICTS = 10;

/** The CONFLICT error of a direct edit that conflicts with edits since its base revision. Names the conflicts. */
export function conflictsError(conflicts: readonly Conflict[]): ApiError {
  const named = conflicts.slice(0, MAX_NAMED_CONFLICTS).map(nameOf).join('; ');
  const more = conflicts.length > MAX_NAMED_CONFLICTS ? `; and ${conflicts.length - MAX_NAMED_CONFLICTS} more` : '';
  return conflict(
    `The content has changed, and the changes conflict with it: ${named}${more}. Read the current content and send the changes again.`,
  );
}

function nameOf({ kind, target, field, block, pages }: Conflict): string {
  const about = target.id === null ? 'the top level' : `${target.type.replace('-', ' ')} "${target.id}"`;
  if (field !== null) return `${about}, field "${field}"`;
  if (block !== null) return `${about}, block "${block}"`;
  const others = pages.filter((pageId) => pageId !== target.id).slice(0, MAX_NAMED_CONFLICTS);
  const reason = {
    field: 'changed differently',
    block: 'changed differently',
    'deleted-vs-edited': 'deleted by one, edited by the other',
    'child-under-deleted': 'deleted by one, pages added below it by the other',
    cycle: 'moved below each other',
    limits: 'too many pages, or too deep',
  }[kind];
  return `${about} (${reason}${others.length > 0 ? `: ${others.join(', ')}` : ''})`;
}
