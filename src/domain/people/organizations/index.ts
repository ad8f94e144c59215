export { activeInSql } from './active-provider.ts';
export { assertMembers, membersAmong, usersIn } from './assert-members.ts';
export { bootstrap } from './bootstrap.ts';
export { effectiveDomainsOf, isEffective, isProved } from './email-domain-states.ts';
export { mergeRuleKind, spaceMergeRulesType } from './enums.ts';
export { listOrganizations } from './list-organizations.ts';
export { loadOrganization } from './load.ts';
export {
  type MergeRule,
  type MergeRules,
  mergeRulesFromRest,
  rulesOf,
  type SpaceMergeRules,
  spaceMergeRules,
} from './merge-rules.ts';
export { spaceMergeRulesShape } from './merge-rules-shape.ts';
export { permissionsBy } from './permissions.ts';
export { isProvisioned } from './provisioned.ts';
export { mergeRulesOfSpace, organization } from './resources.ts';
