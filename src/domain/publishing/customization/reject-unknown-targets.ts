import type { Context } from '../../../platform/context/context.ts';
import { badInput } from '../../../platform/errors/errors.ts';
import { loadCollection } from '../../places/collections/index.ts';
import { loadSpace } from '../../places/spaces/index.ts';

/** Members of links that name a space or collection: in an appearance, and in the JSON of a content reference. */
const KINDS = new Map<string, Target['kind']>([
  ['spaceId', 'space'],
  ['collectionId', 'collection'],
  ['space', 'space'],
  ['collection', 'collection'],
]);

const LOADERS = { space: loadSpace, collection: loadCollection } as const;

interface Target {
  kind: keyof typeof LOADERS;
  id: string;
  path: (string | number)[];
}

/**
 * Throws BAD_USER_INPUT for a link to a space or collection that does not exist or that the caller cannot see. `input`
 * has an appearance or a customization. Links to what `stored` links to may stay, so that a target that was deleted
 * does not prevent other changes.
 */
export async function rejectUnknownTargets(
  ctx: Context,
  input: Record<string, unknown>,
  stored: unknown,
): Promise<void> {
  const storedIds = new Set(targetsIn(stored, []).map(({ id }) => id));
  const added = targetsIn(input, []).filter(({ id }) => !storedIds.has(id));
  const rows = await Promise.all(added.map(({ kind, id }) => LOADERS[kind](ctx, id)));
  const unknown = added.find((_target, index) => !rows[index]);
  if (unknown)
    throw badInput(unknown.path, `There is no ${unknown.kind} "${unknown.id}", or you cannot see it.`, 'NOT_FOUND');
}

/** The ids of spaces and collections in an appearance or a customization. Faces of fonts are open JSON. */
function targetsIn(value: unknown, path: (string | number)[]): Target[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => targetsIn(item, [...path, index]));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]): Target[] => {
    const inner = [...path, name];
    if (name === 'faces' || name === 'fontFaces') return [];
    const kind = KINDS.get(name);
    return kind && typeof member === 'string' ? [{ kind, id: member, path: inner }] : targetsIn(member, inner);
  });
}
