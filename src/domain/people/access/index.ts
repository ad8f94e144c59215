export { levelInRest, levelShown, levelStored } from './content-level.ts';
export { describeNeed } from './describe-need.ts';
export { contentLevel, role } from './enums.ts';
export { grantToCreator } from './grant-to-creator.ts';
export { isShown, type LevelKind, levelOfUser, levelOn, mayView, reaches } from './level.ts';
export {
  absent,
  authorize,
  blocked,
  isVisible,
  type Loaded,
  type Lock,
  loadedInSpace,
  loadWithStanding,
  type Standing,
  standingOn,
} from './load.ts';
export { type Need, needs, type OrganizationNeed } from './needs.ts';
export {
  administers,
  type OrganizationRow,
  type OrganizationStanding,
  organizationFor,
  standingInOrganization,
} from './organization.ts';
