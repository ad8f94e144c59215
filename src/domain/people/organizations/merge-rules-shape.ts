import { z } from 'zod';
import { idOf } from '../../../platform/operation/operation.ts';
import { mergeRuleKind, mergeRulesType, spaceMergeRulesType } from './enums.ts';

// Shapes of merge rules in REST, for the OpenAPI description of requests (`mergeRulesFromRest`) and responses.

const rule = z
  .object({
    rule: mergeRuleKind.describe('Kind of the rule.'),
    users: z
      .array(idOf('user'))
      .max(100)
      .optional()
      .describe(
        'IDs of the users that the rule names. Only for `require_specific_reviewers`, `require_one_of_specific_reviewers` and `allow_bypass`.',
      ),
    expression: z
      .string()
      .max(1024)
      .optional()
      .describe('Expression that a `custom` rule evaluates. Left out for other rules.'),
    message: z
      .string()
      .max(1024)
      .optional()
      .describe('Message shown when a `custom` rule is not met. Left out for other rules.'),
  })
  .meta({ id: 'MergeRule', description: 'A condition that a change request must meet before it can be merged.' });

const rules = z
  .array(rule)
  .max(50)
  .optional()
  .describe('Up to 50 rules. Required if `type` is `rules`, left out otherwise.');

export const mergeRulesShape = z
  .object({ type: mergeRulesType.describe('Whether change requests must meet conditions.'), rules })
  .meta({ id: 'MergeRules', description: 'Conditions that change requests must meet before they can be merged.' });

export const spaceMergeRulesShape = z
  .object({
    type: spaceMergeRulesType.describe('Whether the conditions are inherited, set on the space, or absent.'),
    rules,
  })
  .meta({
    id: 'SpaceMergeRules',
    description: 'Conditions that change requests of a space must meet before they can be merged.',
  });
