import { z } from 'zod';
import { withCode } from '../../../../lib/validation/issue-code.ts';
import { lineText } from '../../../../platform/shapes/text.ts';
import type { AppliedChange } from '../edit-state/applied-change.ts';
import { changeKind } from '../edit-state/change-kind.ts';

const MAX_SET = 200;

/** Names for expressions (`space.vars.name`). */
const name = lineText(1, 100);

const input = z
  .strictObject({
    variables: z
      .record(name, z.union([lineText(0, 256), z.number(), z.boolean(), z.null()]))
      .refine((variables) => Object.keys(variables).length <= MAX_SET, {
        error: `must have at most ${MAX_SET} variables.`,
        ...withCode('TOO_MANY'),
      })
      .meta({
        scalar: 'JSONObject',
        description:
          'Values by the names of the variables: strings of up to 256 characters, numbers or booleans. Null removes a variable. Variables that are not named are kept. Up to 200 variables at a time.',
      }),
  })
  .meta({
    inputName: 'SetVariablesInput',
    description: 'Sets variables of the space, for expressions on all of its pages.',
  });

export const setVariables = changeKind({
  input,
  async apply({ variables }, { variables: values }) {
    return Object.entries(values).map(([id, value]): AppliedChange => {
      if (value === null) variables.remove(id);
      else variables.put({ id, value });
      return { action: value === null ? 'deleted' : 'updated', what: 'variable', target: id };
    });
  },
});
