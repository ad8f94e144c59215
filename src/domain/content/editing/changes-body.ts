import { z } from 'zod';
import { type PLACES, REST_NAMES } from './changes-from-rest.ts';
import { contentChanges } from './content-changes.ts';
import { changeKinds, restOperationName } from './kinds/change-kinds.ts';
import { referencesInRest } from './typed-references.ts';

// The body that `changesFromRest` translates, for the OpenAPI description.

/** At most one of them can be set. */
const places: Record<keyof typeof PLACES, z.ZodType> = {
  before: z.string().max(200).optional().describe('ID of the sibling to place the page before.'),
  after: z.string().max(200).optional().describe('ID of the sibling to place the page after.'),
  at: z
    .int()
    .min(0)
    .optional()
    .describe(
      'Position among the siblings, starting at 0. Numbers beyond the last position are treated as the last position.',
    ),
};

const restNames = new Map(Object.entries(REST_NAMES).map(([theirs, ours]) => [ours as string, theirs]));

const [first, ...others] = Object.entries(changeKinds).map(([name, { input }]) => {
  const { targetReference: _, ...shape }: Record<string, z.ZodType> = input.shape;
  const members = Object.entries('target' in shape ? { ...shape, ...referencesInRest } : shape);
  const operation = restOperationName(name);
  return z
    .object({
      operation: z.literal(operation).describe(`Always \`${operation}\`.`),
      ...Object.fromEntries(members.map(([member, schema]) => [restNames.get(member) ?? member, schema])),
      ...('position' in input.shape ? places : {}),
    })
    .meta({ id: `${name[0]?.toUpperCase()}${name.slice(1)}Change`, description: input.description });
});

if (!first) throw new Error('No change kinds are registered.');

const change = z
  .union([first, ...others])
  .meta({ id: 'ContentChange', description: 'One change of content. `operation` is the kind of change.' });

/** The body of both content updates. */
export const contentBody = z.object({
  changes: z
    .array(change)
    .min(1)
    .max(50)
    .describe(contentChanges.changes.description ?? ''),
  baseRevision: contentChanges.baseRevisionId,
  dryRun: contentChanges.dryRun,
});
