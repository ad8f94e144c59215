import { z } from 'zod';
import { conditionFault } from '../../../lib/expression/condition.ts';
import { idOf } from '../../../platform/operation.ts';
import { textOf } from '../../../platform/text.ts';
import { mergeRuleKind, mergeRulesType, spaceMergeRulesType } from './enums.ts';

type Kind = z.infer<typeof mergeRuleKind>;
type ReviewersKind = 'require_specific_reviewers' | 'require_one_of_specific_reviewers' | 'allow_bypass';

/** One condition that a change request meets before it merges, as it is stored and as REST shows it. */
export type MergeRule =
  | { rule: ReviewersKind; users: string[] }
  | { rule: 'custom'; expression: string; message?: string }
  | { rule: Exclude<Kind, ReviewersKind | 'custom'> };

/** Merge rules of an organization: a list of conditions, or none. */
export type MergeRules = { type: 'rules'; rules: MergeRule[] } | { type: 'none' };

/** Merge rules of a space: its own, none, or those of its organization. */
export type SpaceMergeRules = MergeRules | { type: 'inherit' };

/** The conditions of any merge rules; empty where there are none, or others' hold. */
export const rulesOf = (rules: SpaceMergeRules): MergeRule[] => (rules.type === 'rules' ? rules.rules : []);

const mergeRule = z
  .object({
    rule: mergeRuleKind.describe('The condition.'),
    userIds: z
      .array(idOf('user'))
      .max(100)
      .nullish()
      .describe('Members of the organization, at most 100. Wanted by the three rules that name users.'),
    expression: textOf(0, 1024)
      .nullish()
      .describe(
        'The condition of a `custom` rule, up to 1,024 characters, of `changeRequest` (`subject`, `description`, `outdated`, ' +
          '`createdBy.id`), `reviews` (`status`, `outdated`, `reviewer.id`), `approvals` (ids of users) and `actor.id`.',
      ),
    message: textOf(0, 1024).nullish().describe('What to say when a `custom` rule is not met, up to 1,024 characters.'),
  })
  .meta({ inputName: 'MergeRuleInput', description: 'A condition that a change request meets before it merges.' })
  .transform(({ rule, userIds, expression, message }, { addIssue }): MergeRule => {
    if (rule === 'custom') {
      const fault = expression == null ? 'A custom rule needs one.' : conditionFault(expression);
      if (fault !== undefined) addIssue({ code: 'custom', path: ['expression'], message: fault });
      return { rule, expression: expression ?? '', ...(message == null ? {} : { message }) };
    }
    if (!namesUsers(rule)) return { rule };
    if (!userIds) addIssue({ code: 'custom', path: ['userIds'], message: `The rule "${rule}" needs them.` });
    return { rule, users: [...new Set(userIds)] };
  });

const ruleList = z.array(mergeRule).max(50).nullish().describe('The rules, at most 50. Wanted by the type `rules`.');

/** Input of an organization's merge rules. Who they name is still to be checked (`rejectStrangers`). */
export const mergeRules = z
  .object({ type: mergeRulesType.describe('Whether there are conditions.'), rules: ruleList })
  .meta({ inputName: 'MergeRulesInput', description: 'Conditions that change requests meet before they merge.' })
  .transform(({ type, rules }, { addIssue }): MergeRules => (type === 'rules' ? listed(rules, addIssue) : { type }));

/** Input of a space's merge rules. Who they name is still to be checked (`rejectStrangers`). */
export const spaceMergeRules = z
  .object({ type: spaceMergeRulesType.describe('Where the conditions come from.'), rules: ruleList })
  .meta({ inputName: 'SpaceMergeRulesInput', description: 'Conditions that change requests of a space meet.' })
  .transform(
    ({ type, rules }, { addIssue }): SpaceMergeRules => (type === 'rules' ? listed(rules, addIssue) : { type }),
  );

/** Merge rules as REST's body has them (`users` for `userIds`). Whatever has another form is left to the check. */
export function mergeRulesFromRest(given: unknown): unknown {
  if (!isObject(given) || !Array.isArray(given.rules)) return given;
  const rules = given.rules.map((rule) =>
    isObject(rule) && 'users' in rule ? { ...rule, userIds: rule.users } : rule,
  );
  return { ...given, rules };
}

type AddIssue = (issue: { code: 'custom'; path: string[]; message: string }) => void;

function listed(rules: MergeRule[] | null | undefined, addIssue: AddIssue): MergeRules {
  if (!rules) addIssue({ code: 'custom', path: ['rules'], message: 'The type "rules" needs them.' });
  return { type: 'rules', rules: rules ?? [] };
}

const REVIEWERS_KINDS: readonly string[] = [
  'require_specific_reviewers',
  'require_one_of_specific_reviewers',
  'allow_bypass',
] satisfies ReviewersKind[];

const namesUsers = (rule: Kind): rule is ReviewersKind => REVIEWERS_KINDS.includes(rule);

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
