export { accessFormulas, accessVersion } from './access-formulas.ts';
export { type AccessSeen, accessHeld } from './access-held.ts';
export { isActing, isEnabled, roleFor, teamCountsFor } from './acting-member.ts';
export { changesAccess, hasAccessVersion } from './changes-access.ts';
export { roleInRest, roleShown, roleStored } from './content-level.ts';
export { type Access, accessesBy, type DecidedAccess, type Guarded, type Lock, rowsOf, withAccess } from './decide.ts';
export { isDecisionTable } from './decision-columns.ts';
export { describePermission } from './describe-permission.ts';
export { effectiveRoles } from './effective-roles.ts';
export { contentLevel, role } from './enums.ts';
export { type AccessExplanation, type AccessSource, type AccessStep, explainAccess } from './explain.ts';
export { grantToCreator } from './grant-to-creator.ts';
export { holdAccess, holdingAccess } from './hold-access.ts';
export { rowsInSpaces, sharedRowsInSpaces } from './in-spaces.ts';
export { type LevelRow, levelsOf } from './levels-of.ts';
export {
  conditionsByWalk,
  inCollections,
  inOrganizations,
  inOrganizationsOf,
  inSpacesWith,
  type ListConditions,
  withConditions,
} from './list-access.ts';
export {
  absent,
  accessOn,
  authorize,
  blocked,
  type Holding,
  holdOf,
  isOnConditionalSite,
  isVisible,
  type Loaded,
  loadWithAccess,
  NO_ACCESS,
  type Presented,
  primeAccess,
  seesAll,
} from './load.ts';
export {
  accessInOrganization,
  administers,
  missing,
  type OrganizationAccess,
  type OrganizationRow,
  organizationFor,
  organizationsOf,
} from './organization.ts';
export { parentOf, readParentUncached } from './parent-of.ts';
export { type OrganizationPermission, type Permission, permissions } from './permissions.ts';
export { rememberAccess, rememberedAccess } from './remembered.ts';
export { resourceRows } from './resource-rows.ts';
export { isShown, mayList, mayView, type RoleTarget, reaches, roleOfUser, roleOn } from './role.ts';
