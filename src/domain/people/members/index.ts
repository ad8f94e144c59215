export {
  listsMembers,
  lockOrganizationAccess,
  type MemberName,
  memberFor,
  memberName,
} from './access.ts';
export { endSsoCredentials } from './end-sso-credentials.ts';
export { Membership } from './entity.ts';
export { acceptMembership, type Joining, joinAs } from './join.ts';
export { isMemberVisible, type ListedMember, type MemberRow } from './load.ts';
export { isManagedByScim } from './managed-by-scim.ts';
export { endMembership } from './remove-member.ts';
export { member } from './resources.ts';
export { changeMember } from './update-member.ts';
