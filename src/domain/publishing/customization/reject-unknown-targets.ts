import type { Context } from '../../../platform/context/context.ts';
import { badInput } from '../../../platform/errors/errors.ts';
import { loadCollection } from '../../places/collections/index.ts';
import { loadSpace } from '../../places/spaces/index.ts';
import type { AppearanceInput } from './appearance-input.ts';

const LOADERS = { spaceId: loadSpace, collectionId: loadCollection } as const;

interface Target {
  member: keyof typeof LOADERS;
  id: string;
  path: (string | number)[];
}

/**
 * Throws BAD_USER_INPUT for a link of an appearance to a space or collection that does not exist or that the caller cannot
 * see. Links that are stored already may stay, so that a target that was deleted does not prevent other changes.
 */
export async function rejectUnknownTargets(
  ctx: Context,
  appearance: AppearanceInput | null | undefined,
  stored: unknown,
): Promise<void> {
  const known = JSON.stringify(stored ?? null);
  const added = targetsIn(appearance, ['appearance']).filter(({ id }) => !known.includes(JSON.stringify(id)));
  const found = await Promise.all(added.map(({ member, id }) => LOADERS[member](ctx, id)));
  const unknown = added.find((_target, index) => !found[index]);
  if (unknown) {
    const kind = unknown.member === 'spaceId' ? 'space' : 'collection';
    throw badInput(unknown.path, `There is no ${kind} "${unknown.id}", or you cannot see it.`, 'NOT_FOUND');
  }
}

/** The ids of spaces and collections in an appearance. Faces of fonts are open JSON. */
function targetsIn(value: unknown, path: (string | number)[]): Target[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => targetsIn(item, [...path, index]));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]): Target[] => {
    const there = [...path, name];
    if (name === 'faces') return [];
    const isTarget = name === 'spaceId' || name === 'collectionId';
    return isTarget && typeof member === 'string'
      ? [{ member: name, id: member, path: there }]
      : targetsIn(member, there);
  });
}
