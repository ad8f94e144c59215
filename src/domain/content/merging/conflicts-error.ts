import type { Conflict } from '../../../lib/merge/conflict.ts';
import { type ApiError, conflict } from '../../../platform/errors.ts';

/** So many conflicts are named in a apiError; the rest is counted. */
const NAMED = 10;

/** The apiError of changes that conflict with what others wrote meanwhile, naming what both changed. */
export function conflictsError(conflicts: readonly Conflict[]): ApiError {
  const named = conflicts.slice(0, NAMED).map(nameOf).join('; ');
  const more = conflicts.length > NAMED ? `; and ${conflicts.length - NAMED} more` : '';
  return conflict(
    `The content moved on, and these changes conflict with it: ${named}${more}. Read it and send the changes again on top of it.`,
  );
}

function nameOf({ kind, target, field, block, pages }: Conflict): string {
  const about = target.id === null ? 'the top level' : `${target.type.replace('-', ' ')} "${target.id}"`;
  if (field !== null) return `${about}, field "${field}"`;
  if (block !== null) return `${about}, block "${block}"`;
  const others = pages.filter((pageId) => pageId !== target.id).slice(0, NAMED);
  const reason = {
    field: 'changed differently',
    block: 'changed differently',
    'deleted-vs-edited': 'deleted by one, edited by the other',
    'child-under-deleted': 'deleted by one, given pages by the other',
    cycle: 'moved below one another',
    limits: 'too many pages, or too deep',
  }[kind];
  return `${about} (${reason}${others.length > 0 ? `: ${others.join(', ')}` : ''})`;
}
