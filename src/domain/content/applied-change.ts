/** What became of one thing that a change concerned. It has no member `id`, so that a repeated command keeps it as it is. */
export interface AppliedChange {
  action: 'created' | 'updated' | 'moved' | 'deleted';
  what: 'page';
  /** The id of the thing in its space. */
  target: string;
  /** The caller's name of what was created. */
  ref?: string;
}
