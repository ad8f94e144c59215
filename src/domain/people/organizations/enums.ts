import { namedEnum } from '../../../platform/shapes/named-enum.ts';

export const organizationType = namedEnum('OrganizationType', 'Whether an organization is a business or a community.', {
  business: 'A company or another organization.',
  community: 'A community. `communityType` is its type.',
});

export const organizationUseCase = namedEnum(
  'OrganizationUseCase',
  'Purpose for which an organization uses the service.',
  {
    internalDocs: 'Internal documentation.',
    docsSite: 'A public documentation site.',
    audienceControlledSite: 'A site for a restricted audience.',
    productDocs: 'Product documentation.',
    teamKnowledgeBase: 'Internal knowledge base of a team.',
    designSystem: 'Documentation of a design system.',
    openSourceDocs: 'Documentation of an open-source project.',
    notes: 'Personal notes.',
    other: 'Another use case.',
  },
);

export const organizationCommunityType = namedEnum(
  'OrganizationCommunityType',
  'Type of community behind an organization.',
  {
    nonProfit: 'A non-profit organization.',
    openSource: 'An open-source project.',
    education: 'A school or university.',
  },
);

export const organizationPlan = namedEnum(
  'OrganizationPlan',
  'Plan of an organization. Plans do not limit any feature.',
  {
    free_2024: 'Free, as of 2024.',
    plus_2024: 'Plus, as of 2024.',
    pro_2024: 'Pro, as of 2024.',
    enterprise_2024: 'Enterprise, as of 2024. The plan of every organization.',
    community_2024: 'Community, as of 2024.',
    free: 'Free, before 2024.',
    plus: 'Plus, before 2024.',
    pro: 'Pro, before 2024.',
    internal: 'For the operators of the service.',
  },
);

export const trialStatus = namedEnum('OrganizationTrialStatus', 'Status of the trial of a plan.', {
  notapplicable: 'Trials are not available.',
  none: 'No trial was started.',
  active: 'The trial is active.',
  ended: 'The trial was ended.',
  expired: 'The trial has expired.',
});

export const blockSource = namedEnum('OrganizationBlockSource', 'Who blocked an organization.', {
  backoffice: 'An operator of the service.',
  external: 'An external system.',
  internal: 'The service itself.',
});

export const mergeRulesType = namedEnum('MergeRulesType', 'Whether there are conditions for merging.', {
  rules: 'All rules in the list must be met.',
  none: 'There are no conditions.',
});

export const spaceMergeRulesType = namedEnum(
  'SpaceMergeRulesType',
  'Whether the conditions for merging are inherited, set on the space, or absent.',
  {
    inherit: 'The rules of the organization apply.',
    rules: 'All rules in the list must be met.',
    none: 'There are no conditions.',
  },
);

export const mergeRuleKind = namedEnum(
  'MergeRuleKind',
  'A condition that a change request must meet before it can be merged. Reviews count while their reviewer can review the space.',
  {
    require_specific_reviewers: 'All users that the rule names have approved the change request.',
    require_one_of_specific_reviewers: 'At least one of the users that the rule names has approved the change request.',
    allow_bypass: 'The users that the rule names can merge even if other rules are not met.',
    require_at_least_one_review: 'The change request has a review.',
    require_at_least_one_approved_review: 'The change request has an approving review.',
    require_all_reviews_approved: 'No review requests changes.',
    require_agent_review: 'An agent has reviewed the change request.',
    require_up_to_date_change_request: 'The change request is up to date with the primary content.',
    require_change_request_subject: 'The change request has a subject.',
    require_change_request_description: 'The change request has a description.',
    require_author_to_merge: 'Only the author can merge the change request.',
    custom: 'A custom expression is true.',
  },
);
