/** Effect of a change on one object. It has no property `id`, which idempotent repetitions would replace. */
export interface AppliedChange {
  action: 'created' | 'updated' | 'moved' | 'deleted';
  what: 'page' | 'file' | 'reusable-content' | 'variable';
  /** Id of the object; for a variable its name. */
  target: string;
  /** The `ref` that the caller gave to the new object. */
  ref?: string;
}

/** The ids of the affected objects of one kind, in the order of the changes. */
export const affectedIds = (
  applied: readonly AppliedChange[],
  what: AppliedChange['what'],
  action?: AppliedChange['action'],
): string[] =>
  applied
    .filter((change) => change.what === what && (action === undefined || change.action === action))
    .map(({ target }) => target);
