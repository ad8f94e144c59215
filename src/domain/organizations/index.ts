export type { OrganizationRow } from '../access/index.ts';
export { type Bootstrapped, bootstrap } from './bootstrap.ts';
export { mergeRuleKind, spaceMergeRulesType } from './enums.ts';
export { loadOrganization } from './load.ts';
export type { MergeRule, MergeRules, SpaceMergeRules } from './merge-rules.ts';
export { mergeRules, mergeRulesFromRest, rulesOf, spaceMergeRules } from './merge-rules.ts';
export { organizationShape, presentOrganization } from './present.ts';
export { refuseStrangers } from './refuse-strangers.ts';
export { spaceMergeRulesShape } from './rest-merge-rules.ts';
