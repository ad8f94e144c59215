import { namedEnum } from '../../../platform/named-enum.ts';

export const organizationType = namedEnum('OrganizationType', 'What kind of organization it is.', {
  business: 'A company or any other organization.',
  community: 'A community; `communityType` says which kind.',
});

export const organizationUseCase = namedEnum('OrganizationUseCase', 'What an organization uses the service for.', {
  internalDocs: 'Documentation for its own people.',
  docsSite: 'A public documentation site.',
  audienceControlledSite: 'A site for a known audience.',
  productDocs: 'Documentation of a product.',
  teamKnowledgeBase: 'What a team knows, for itself.',
  designSystem: 'Rules and parts of a visual design.',
  openSourceDocs: 'Documentation of an open-source project.',
  notes: 'Loose records of one or a few people.',
  other: 'Something else.',
});

export const organizationCommunityType = namedEnum('OrganizationCommunityType', 'What kind of community it is.', {
  nonProfit: 'A non-profit organization.',
  openSource: 'An open-source project.',
  education: 'A school or university.',
});

export const organizationPlan = namedEnum(
  'OrganizationPlan',
  'The plan an organization is on. It gates nothing here.',
  {
    free_2024: 'Free, as of 2024.',
    plus_2024: 'Plus, as of 2024.',
    pro_2024: 'Pro, as of 2024.',
    enterprise_2024: 'Enterprise, as of 2024: what every organization has.',
    community_2024: 'Community, as of 2024.',
    free: 'Free, older.',
    plus: 'Plus, older.',
    pro: 'Pro, older.',
    internal: 'For the operators themselves.',
  },
);

export const trialStatus = namedEnum('OrganizationTrialStatus', 'Where the trial of a plan stands.', {
  notapplicable: 'There is no trial for this organization.',
  none: 'None was begun.',
  active: 'It runs.',
  ended: 'It was ended.',
  expired: 'Its time is over.',
});

export const blockSource = namedEnum('OrganizationBlockSource', 'Who blocked an organization.', {
  backoffice: 'An operator of the service.',
  external: 'A system outside.',
  internal: 'The service itself.',
});

export const mergeRulesType = namedEnum('MergeRulesType', 'Whether there are conditions for merging.', {
  rules: 'All rules of the list must be met.',
  none: 'Nothing beyond the permission to merge.',
});

export const spaceMergeRulesType = namedEnum('SpaceMergeRulesType', 'Where the conditions for merging come from.', {
  inherit: 'From the organization.',
  rules: 'All rules of the list must be met.',
  none: 'Nothing beyond the permission to merge.',
});

export const mergeRuleKind = namedEnum('MergeRuleKind', 'A condition that a change request meets before it merges.', {
  require_specific_reviewers: 'All of the users have approved it.',
  require_one_of_specific_reviewers: 'One of the users has approved it.',
  allow_bypass: 'The users may merge whatever the other rules say.',
  require_at_least_one_review: 'Somebody has reviewed it.',
  require_at_least_one_approved_review: 'Somebody has approved it.',
  require_all_reviews_approved: 'No review asks for changes.',
  require_agent_review: 'An agent has reviewed it.',
  require_up_to_date_change_request: 'It has what happened on the primary content since.',
  require_change_request_subject: 'It has a subject.',
  require_change_request_description: 'It has a description.',
  require_author_to_merge: 'Whoever merges is its author.',
  custom: 'An expression of your own is true.',
});
