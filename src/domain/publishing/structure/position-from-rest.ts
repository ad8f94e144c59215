import { z } from 'zod';
import type { Issue, IssueInRest } from '../../../platform/errors/errors.ts';

/** Prefixes of the ids that each type of pointer has. */
const PREFIXES: Record<string, string> = {
  'site-space': 'sitespace_',
  'site-section': 'section_',
  'site-section-group': 'sectiongroup_',
  'site-external-link': 'externallink_',
};

const TYPES = ['site-space', 'site-section', 'site-section-group', 'site-external-link'] as const;

/**
 * The id in a pointer such as `{ type: 'site-section', siteSection }`. A pointer whose type does not fit its id gives
 * an id that names nothing, so that the operation refuses it.
 */
export function idOfPointer(pointer: unknown, property = 'id', expectedType?: string): unknown {
  if (typeof pointer !== 'object' || pointer === null) return pointer;
  const { type, [property]: id } = pointer as Record<string, unknown>; // checked above
  if (typeof type !== 'string' || typeof id !== 'string') return id ?? {};
  const fits = (expectedType === undefined || type === expectedType) && id.startsWith(PREFIXES[type] ?? '?');
  return fits ? id : `${type}:${id}`;
}

const pointerShape = (property: string, type: string | undefined) =>
  z.object({
    type: z.enum(type === undefined ? TYPES : [type]).describe('Type of the item.'),
    [property]: z.string().describe('ID of the item.'),
  });

/** Form of a pointer, for errors. */
const exampleOf = (property: string, type = 'site-section') => `\`{ "type": "${type}", "${property}": … }\``;

/** An issue with an id, as an issue with the pointer that contains it. Undefined for other issues. */
export function issueOfPointer({ path, code }: Issue, property: string, type?: string): IssueInRest | undefined {
  const [member, sibling] = path;
  if (code !== 'WRONG_TYPE') return undefined;
  const place = sibling === 'beforeId' ? 'before' : sibling === 'afterId' ? 'after' : undefined;
  const inRest = member === 'itemId' ? ['item'] : member === 'position' && place ? ['position', place] : undefined;
  return inRest && { path: inRest, message: `must be ${exampleOf(property, type)}.` };
}

const positionShape = (property: string, type: string | undefined) =>
  z
    .object({
      before: pointerShape(property, type).optional().describe('The item that follows.'),
      after: pointerShape(property, type).optional().describe('The item that precedes.'),
    })
    .optional()
    .describe('New position among the items of the level. By default, the last one.');

/** Options of routes that take a position by pointers, whose type is `type` and whose id is in `property`. */
export function pointerPosition(type: string | undefined, property: string) {
  const positionOf = (position: unknown): unknown => {
    if (typeof position !== 'object' || position === null) return position;
    const { before, after, ...rest } = position as Record<string, unknown>; // checked above
    const idIn = (pointer: unknown) => (pointer == null ? pointer : idOfPointer(pointer, property, type));
    return { ...rest, beforeId: idIn(before), afterId: idIn(after) };
  };
  return {
    positionOf,
    body: z.object({ position: positionShape(property, type) }),
    renameInside: { before: 'beforeId', after: 'afterId' },
    issueInRest: (issue: Issue) => issueOfPointer(issue, property, type),
    // biome-ignore lint/suspicious/noExplicitAny: untrusted input of several operations, which check it.
    toInput: ({ position, ...rest }: Record<string, unknown>): any => ({
      ...rest,
      ...(position !== undefined && { position: positionOf(position) }),
    }),
  };
}

export const sortBody = z.object({
  item: pointerShape('id', undefined).describe('The item to move.'),
  position: positionShape('id', undefined),
});
