import { z } from 'zod';
import { withCode } from '../../../lib/validation/issue-code.ts';
import { idOf } from '../../../platform/operation/operation.ts';
import { dryRun } from '../dry-runs/index.ts';
import { changeKinds, restOperationName } from './kinds/change-kinds.ts';

type Members = { [Name in keyof typeof changeKinds]: z.ZodOptional<(typeof changeKinds)[Name]['input']> };

const names = Object.keys(changeKinds);

const members = Object.fromEntries(
  Object.entries(changeKinds).map(([name, { input }]) => [name, input.optional()]),
) as Members; // one property per kind

/** One change: exactly one of the properties. */
const contentChange = z
  .object(members)
  .refine((change) => Object.values(change).filter((value) => value !== undefined).length === 1, {
    error: `must have exactly one of ${names.join(', ')} (in REST, "operation": ${names.map(restOperationName).join(', ')}).`,
    ...withCode('ONE_OF'),
  })
  .meta({
    inputName: 'ContentChangeInput',
    oneOf: true,
    description: 'One change of content. Exactly one field must be set.',
  });

export type RequestedChange = z.output<typeof contentChange>;

/** The input that is common to both content operations. */
export const contentChanges = {
  changes: z
    .array(contentChange)
    .min(1)
    .max(50)
    .describe(
      '1 to 50 changes, applied in the given order. Either all changes are applied or none. All changes together can have up to 1,000,000 characters of Markdown and 100 files, and can edit parts of texts of up to 1,000,000 characters.',
    ),
  baseRevisionId: idOf('rev')
    .nullish()
    .describe(
      'ID of the revision that the changes are based on. If the content has changed since, the changes are merged with it. ' +
        'CONFLICT if that is not possible without losing edits; nothing is changed then. Default: the current revision.',
    ),
  dryRun,
};
