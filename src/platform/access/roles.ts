/** Every role, weakest first. `none` is an explicit "no access". PostgreSQL's enum `role` has the same order. */
export const ROLES = ['none', 'read', 'comment', 'edit', 'review', 'create', 'admin'] as const;

export type Role = (typeof ROLES)[number];

/** Whether a role includes the wanted one. No role at all (null) is below `read`. */
export const atLeast = (role: Role | null | undefined, wanted: Role) =>
  ROLES.indexOf(role ?? 'none') >= ROLES.indexOf(wanted);
