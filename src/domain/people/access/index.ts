export { changesAccess, hasAccessVersion } from './changes-access.ts';
export { roleInRest, roleShown, roleStored } from './content-level.ts';
export { describePermission } from './describe-permission.ts';
export { contentLevel, role } from './enums.ts';
export { grantToCreator } from './grant-to-creator.ts';
export {
  type Access,
  absent,
  accessOn,
  authorize,
  blocked,
  isVisible,
  type Loaded,
  type Lock,
  loadedInSpace,
  loadWithAccess,
} from './load.ts';
export {
  accessInOrganization,
  administers,
  type OrganizationAccess,
  type OrganizationRow,
  organizationFor,
} from './organization.ts';
export { type OrganizationPermission, type Permission, permissions } from './permissions.ts';
export { isShown, mayView, type RoleTarget, reaches, roleOfUser, roleOn } from './role.ts';
