import { canonicalJson, type Json } from '../canonical.ts';
import type { ConflictTarget, NewConflict, Resolution } from './conflict.ts';
import { mapThreeWay, pickSide, type ThreeWay } from './three-way.ts';

/** Values by name. Null and absent are the same. */
export type Fields = ReadonlyMap<string, Json>;

/** Merges fields one by one. Null is a version without the object, which no value can be taken from. */
export function mergeFields(
  versions: ThreeWay<Fields | null>,
  target: ConflictTarget,
  resolve: (conflict: NewConflict) => Resolution | undefined,
): Map<string, Json> {
  const merged = new Map<string, Json>();
  const names = [versions.base, versions.ours, versions.theirs].flatMap((fields) => [...(fields?.keys() ?? [])]);
  for (const field of new Set(names.sort())) {
    const values = mapThreeWay(versions, (fields) => fields?.get(field) ?? null);
    const value = mergeValue(values, (conflict) => resolve({ kind: 'field', target, field, ...conflict }), versions);
    if (value !== null) merged.set(field, value);
  }
  return merged;
}

function mergeValue(
  values: ThreeWay<Json>,
  resolve: (values: ThreeWay<{ value: Json }>) => Resolution | undefined,
  versions: ThreeWay<Fields | null>,
): Json {
  const side = pickSide(values, isSame);
  if (side) return values[side];
  const resolution = resolve(mapThreeWay(values, (value) => ({ value })));
  if (resolution && 'text' in resolution) return resolution.text;
  const chosen = resolution && 'choice' in resolution ? resolution.choice : 'theirs';
  return values[versions[chosen] ? chosen : 'theirs'];
}

export const isSame = (a: unknown, b: unknown): boolean =>
  a === b || canonicalJson(a ?? null) === canonicalJson(b ?? null);
