/** All roles, weakest first, in the same order as PostgreSQL's enum `role`. `none` explicitly denies access. */
export const ROLES = ['none', 'read', 'comment', 'edit', 'review', 'create', 'admin'] as const;

export type Role = (typeof ROLES)[number];

/** Whether a role includes the wanted one. Null (no role) is below `read`. */
export const atLeast = (role: Role | null | undefined, minimum: Role) =>
  ROLES.indexOf(role ?? 'none') >= ROLES.indexOf(minimum);
