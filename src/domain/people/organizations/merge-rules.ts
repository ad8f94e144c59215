import { z } from 'zod';
import { conditionFault } from '../../../lib/expression/condition.ts';
import { isRecord } from '../../../lib/is-record.ts';
import { idOf } from '../../../platform/operation/operation.ts';
import { multilineText } from '../../../platform/shapes/text.ts';
import { mergeRuleKind, mergeRulesType, spaceMergeRulesType } from './enums.ts';

type Kind = z.infer<typeof mergeRuleKind>;
type ReviewersKind = 'require_specific_reviewers' | 'require_one_of_specific_reviewers' | 'allow_bypass';

/** A condition for merging a change request, as it is stored and as REST returns it. */
export type MergeRule =
  | { rule: ReviewersKind; users: string[] }
  | { rule: 'custom'; expression: string; message?: string }
  | { rule: Exclude<Kind, ReviewersKind | 'custom'> };

/** Merge rules of an organization. */
export type MergeRules = { type: 'rules'; rules: MergeRule[] } | { type: 'none' };

/** Merge rules of a space. */
export type SpaceMergeRules = MergeRules | { type: 'inherit' };

/** The list of rules. Empty if there are none or if they are inherited. */
export const rulesOf = (rules: SpaceMergeRules): MergeRule[] => (rules.type === 'rules' ? rules.rules : []);

const mergeRule = z
  .object({
    rule: mergeRuleKind.describe('Kind of the rule.'),
    userIds: z
      .array(idOf('user'))
      .max(100)
      .nullish()
      .describe(
        'IDs of up to 100 members of the organization. Required by `REQUIRE_SPECIFIC_REVIEWERS`, `REQUIRE_ONE_OF_SPECIFIC_REVIEWERS` and `ALLOW_BYPASS`, ignored for other rules.',
      ),
    expression: multilineText(0, 1024)
      .nullish()
      .describe(
        'Expression of a `CUSTOM` rule, up to 1,024 characters. It can use `changeRequest` (`subject`, `description`, ' +
          '`outdated`, `createdBy.id`), `reviews` (`status`, `outdated`, `reviewer.id`), `approvals` (IDs of users) and `actor.id`.',
      ),
    message: multilineText(0, 1024)
      .nullish()
      .describe('Message shown when a `CUSTOM` rule is not met, up to 1,024 characters.'),
  })
  .meta({
    inputName: 'MergeRuleInput',
    description: 'A condition that a change request must meet before it can be merged.',
  })
  .transform(({ rule, userIds, expression, message }, { addIssue }): MergeRule => {
    if (rule === 'custom') {
      const fault = expression == null ? 'is required by custom rules' : conditionFault(expression);
      if (fault !== undefined) addIssue({ code: 'custom', path: ['expression'], message: fault });
      return { rule, expression: expression ?? '', ...(message == null ? {} : { message }) };
    }
    if (!namesUsers(rule)) return { rule };
    if (!userIds) addIssue({ code: 'custom', path: ['userIds'], message: `is required by the rule "${rule}"` });
    return { rule, users: [...new Set(userIds)] };
  });

const ruleList = z
  .array(mergeRule)
  .max(50)
  .nullish()
  .describe('Up to 50 rules. Required if `type` is `RULES`, ignored otherwise.');

/** Input of the merge rules of an organization. `assertMembers` checks the users that they name. */
export const mergeRulesInput = z
  .object({ type: mergeRulesType.describe('Whether change requests must meet conditions.'), rules: ruleList })
  .meta({
    inputName: 'MergeRulesInput',
    description: 'Conditions that change requests must meet before they can be merged.',
  })
  .transform(({ type, rules }, { addIssue }): MergeRules => (type === 'rules' ? listed(rules, addIssue) : { type }));

/** Input of the merge rules of a space. `assertMembers` checks the users that they name. */
export const spaceMergeRules = z
  .object({
    type: spaceMergeRulesType.describe('Whether the conditions are inherited, set on the space, or absent.'),
    rules: ruleList,
  })
  .meta({
    inputName: 'SpaceMergeRulesInput',
    description: 'Conditions that change requests of a space must meet before they can be merged.',
  })
  .transform(
    ({ type, rules }, { addIssue }): SpaceMergeRules => (type === 'rules' ? listed(rules, addIssue) : { type }),
  );

/** Renames `users` of REST bodies to `userIds`. Values of any other form are returned as they are, for validation. */
export function mergeRulesFromRest(input: unknown): unknown {
  if (!isRecord(input) || !Array.isArray(input.rules)) return input;
  const rules = input.rules.map((rule) =>
    isRecord(rule) && 'users' in rule ? { ...rule, userIds: rule.users } : rule,
  );
  return { ...input, rules };
}

type AddIssue = (issue: { code: 'custom'; path: string[]; message: string }) => void;

function listed(rules: MergeRule[] | null | undefined, addIssue: AddIssue): MergeRules {
  if (!rules) addIssue({ code: 'custom', path: ['rules'], message: 'is required by the type "rules"' });
  return { type: 'rules', rules: rules ?? [] };
}

const REVIEWERS_KINDS: readonly string[] = [
  'require_specific_reviewers',
  'require_one_of_specific_reviewers',
  'allow_bypass',
] satisfies ReviewersKind[];

const namesUsers = (rule: Kind): rule is ReviewersKind => REVIEWERS_KINDS.includes(rule);
