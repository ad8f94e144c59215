/** What became of one thing that a change concerned. It has no member `id`, so that a repeated command keeps it as it is. */
export interface AppliedChange {
  action: 'created' | 'updated' | 'moved' | 'deleted';
  what: 'page' | 'file' | 'reusable-content' | 'variable';
  /** The id of the thing in its space; of a variable its name. */
  target: string;
  /** The caller's name of what was created. */
  ref?: string;
}

/** The ids of things of one kind that were done something to, in the order of the changes. */
export const targetsOf = (
  applied: readonly AppliedChange[],
  what: AppliedChange['what'],
  action?: AppliedChange['action'],
): string[] =>
  applied
    .filter((change) => change.what === what && (action === undefined || change.action === action))
    .map(({ target }) => target);
