import { z } from 'zod';
import { idOf } from '../../../platform/operation.ts';
import { changeKinds, operationOf } from './change-kinds.ts';

type Members = { [Name in keyof typeof changeKinds]: z.ZodOptional<(typeof changeKinds)[Name]['input']> };

const names = Object.keys(changeKinds);

const members = Object.fromEntries(
  Object.entries(changeKinds).map(([name, { input }]) => [name, input.optional()]),
) as Members; // a member for each kind, of its own input

/** One change of content: exactly one of its members. */
export const contentChange = z
  .object(members)
  .refine((change) => Object.values(change).filter((value) => value !== undefined).length === 1, {
    error: `give exactly one of ${names.join(', ')} (in REST, "operation": ${names.map(operationOf).join(', ')}).`,
  })
  .meta({
    inputName: 'ContentChangeInput',
    oneOf: true,
    description: 'One change of content: exactly one of its members.',
  });

export type ContentChange = z.output<typeof contentChange>;

/** What both content operations take: changes in their order, all or none. */
export const contentChanges = {
  changes: z
    .array(contentChange)
    .min(1)
    .max(50)
    .describe('1 to 50 changes, applied in their order; all of them or none.'),
  baseRevisionId: idOf('rev')
    .nullish()
    .describe(
      'The revision that the changes were made on top of. What happened since is kept: both are merged, and only where ' +
        'they conflict the answer is CONFLICT and nothing is changed. Absent is the head.',
    ),
};
