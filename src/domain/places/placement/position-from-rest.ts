import { z } from 'zod';
import type { Issue, IssueInRest } from '../../../platform/errors/errors.ts';
import { parentOfMove } from './move.ts';

const pointer = z
  .union([
    z.object({
      type: z.literal('space').describe('The sibling is a space.'),
      space: z.string().describe('ID of the space.'),
    }),
    z.object({
      type: z.literal('collection').describe('The sibling is a collection.'),
      collection: z.string().describe('ID of the collection.'),
    }),
  ])
  .describe('A space or collection.');

/** `siblingPosition` in REST. */
const restPosition = z
  .object({
    before: pointer.optional().describe('Space or collection that follows. Specify either `before` or `after`.'),
    after: pointer.optional().describe('Space or collection that precedes. Specify either `before` or `after`.'),
  })
  .describe('A position among the spaces and collections of the parent. If no sibling is given, the last position.');

/**
 * Converts a position of REST to the input of operations, which validate it. An id of another kind than that of the
 * pointer does not name an item, and values that are not pointers become values that are refused.
 */
function positionFromRest(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const { before, after } = value as Record<string, unknown>; // checked below
  return { beforeId: idFromRest(before), afterId: idFromRest(after) };
}

function idFromRest(value: unknown): unknown {
  if (value === undefined || value === null) return value;
  const parsed = pointer.safeParse(value);
  if (!parsed.success) return { given: value };
  const id = parsed.data.type === 'space' ? parsed.data.space : parsed.data.collection;
  return id.startsWith(`${parsed.data.type}_`) ? id : `${parsed.data.type} ${id}`;
}

/** The options of routes that move an item. */
export const restMove = {
  rename: { parent: 'parentId' },
  renameInside: { before: 'beforeId', after: 'afterId' },
  body: z.object({ parent: parentOfMove, position: restPosition.optional() }),
  issueInRest: ({ path: [member, sibling], code }: Issue): IssueInRest | undefined =>
    member === 'position' && sibling !== undefined && code === 'WRONG_TYPE'
      ? {
          path: ['position', sibling === 'beforeId' ? 'before' : 'after'],
          message: 'must be `{ "type": "space", "space": … }` or `{ "type": "collection", "collection": … }`.',
        }
      : undefined,
} as const;

/** Converts the body of a route that moves an item, by `restMove`. */
export const moveFromRest = <Input>({ position, ...input }: Record<string, unknown>) =>
  ({ ...input, ...(position !== undefined && { position: positionFromRest(position) }) }) as Input; // the operation checks it
