export { accessAdvisoryLock } from './access-advisory-lock.ts';
export { accessFormulas, accessVersion } from './access-formulas.ts';
export { asRunCreator } from './as-run-creator.ts';
export { levelInGraph, levelInRest, storedLevel } from './content-level.ts';
export {
  type Access,
  type DecidedAccess,
  executeRows,
  type Lock,
  withAccess,
} from './decide.ts';
export { decides, defineDecisionEntity, hasAccessVersion, isDecisionTable } from './decision-entity.ts';
export { describePermission } from './describe-permission.ts';
export { contentLevel, role } from './enums.ts';
export { type AccessExplanation, type AccessSource, type AccessStep, explainAccess } from './explain.ts';
export { grantToCreator } from './grant-to-creator.ts';
export { rowsInSpaces, sharedRowsInSpaces } from './in-spaces.ts';
export {
  collectionLists,
  organizationLists,
  readInOrganizations,
  spaceLists,
  withConditions,
} from './list-access.ts';
export {
  accessLoader,
  accessLockFor,
  authorize,
  hasRoleToRead,
  isOnConditionalSite,
  isVisible,
  type Loaded,
  type LockOptions,
  loadWithAccess,
  NO_ACCESS,
  notVisibleError,
  organizationBlockedError,
  primeAccess,
  primeListedAccess,
  type ShareCredentials,
} from './load.ts';
export { decideBeforeLocks, lockAccess, withAccessLock } from './lock-access.ts';
export { assertCredential, lockCredential } from './lock-credential.ts';
export {
  accessInOrganization,
  assertAdmin,
  assertHasRole,
  noOrganizationAccessError,
  type OrganizationAccess,
  type OrganizationRow,
  organizationFor,
  organizationForAccess,
  organizationsOf,
} from './organization.ts';
export { parentOf, readParentUncached } from './parent-of.ts';
export { type OrganizationPermission, type Permission, permissions } from './permissions.ts';
export { eventsOfAccount, recordAccountEvent } from './record-account-event.ts';
export { resourceRows } from './resource-rows.ts';
export { isActing, isEnabled, isEnabledMember, isWithin, roleFor, teamCountsFor } from './rule/acting-member.ts';
export { effectiveRoles } from './rule/effective-roles.ts';
export { type LevelRow, levelsOf } from './rule/levels-of.ts';
export { conditionsInSql, type ListConditions } from './rule/list-conditions.ts';
export { isPlaceShownSql, mayList, mayView, type RoleTarget, reaches, roleOfUser, roleSql } from './rule/sql-rule.ts';
export { organizationSeenBy, withoutSettings } from './seen-organization.ts';
