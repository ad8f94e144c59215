import { z } from 'zod';
import { idOf } from '../../../platform/operation.ts';
import { mergeRuleKind, mergeRulesType, spaceMergeRulesType } from './enums.ts';

// Merge rules in REST's names, for the description: what `mergeRulesFromRest` takes, and what is shown.

const rule = z
  .object({
    rule: mergeRuleKind.describe('The condition.'),
    users: z
      .array(idOf('user'))
      .max(100)
      .optional()
      .describe('Whom the rule names; of the three rules that name users.'),
    expression: z.string().max(1024).optional().describe('The condition of a `custom` rule.'),
    message: z.string().max(1024).optional().describe('What to say when a `custom` rule is not met.'),
  })
  .meta({ id: 'MergeRule', description: 'A condition that a change request meets before it merges.' });

const rules = z.array(rule).max(50).optional().describe('The rules; with the type `rules` alone.');

export const mergeRulesShape = z
  .object({ type: mergeRulesType.describe('Whether there are conditions.'), rules })
  .meta({ id: 'MergeRules', description: 'Conditions that change requests meet before they merge.' });

export const spaceMergeRulesShape = z
  .object({ type: spaceMergeRulesType.describe('Where the conditions come from.'), rules })
  .meta({ id: 'SpaceMergeRules', description: 'Conditions that change requests of a space meet.' });
