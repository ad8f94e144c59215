/** The ladder, lowest first; `none` is an explicit "no access". PostgreSQL's enum `role` has the same order. */
export const LEVELS = ['none', 'read', 'comment', 'edit', 'review', 'create', 'admin'] as const;

export type Level = (typeof LEVELS)[number];

/** The roles a member or a grant can have. */
export const ROLES = ['admin', 'create', 'review', 'edit', 'comment', 'read'] as const;

export type Role = (typeof ROLES)[number];

/** Whether a level is at least the wanted one; nothing at all (null) is below `read`. */
export const atLeast = (level: Level | null | undefined, wanted: Level) =>
  LEVELS.indexOf(level ?? 'none') >= LEVELS.indexOf(wanted);
