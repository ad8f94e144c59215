/** How the version of an organization's access is locked: shared with other writes, or exclusive, to change access. */
export type VersionLock = 'for share' | 'for no key update';

/**
 * SQL of the advisory lock that a statement takes before it locks the version of the access, in its columns or
 * conditions, which are evaluated before row locks. PostgreSQL grants a shared row lock even while others wait for an
 * exclusive one, so that a revocation would wait until no transaction writes in the organization. Advisory locks are
 * granted in the order in which they were requested.
 */
export const accessAdvisoryLock = (organizationId: string, lock: VersionLock): string =>
  `pg_advisory_xact_lock${lock === 'for share' ? '_shared' : ''}(hashtextextended('access:' || ${organizationId}, 0))`;
