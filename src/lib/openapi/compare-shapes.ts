import { formatDifference } from './compare-formats.ts';
import type { MessageDirection, SchemaDifference } from './differences.ts';
import type { JsonValue } from './read-source.ts';
import { LOWER, type Shape, UPPER } from './shapes.ts';

/** A pair of schemas below another pair. */
export interface Edge {
  place: string;
  before: JsonValue | undefined;
  after: JsonValue | undefined;
  /** Whether responses of the earlier version could leave it out. */
  isOptional: boolean;
}

/**
 * The differences of two shapes of the same type, and the pairs of schemas below them. In responses, other values of
 * the same type are not breaking: new values of an enumeration, and values beyond earlier limits.
 */
export function compareShapes(before: Shape, after: Shape, direction: MessageDirection) {
  const isRequest = direction === 'request';
  const differences: SchemaDifference[] = [
    ...valueDifferences(before, after, isRequest),
    ...boundDifferences(before, after, isRequest),
    ...ruleDifferences(before, after, isRequest),
    ...formatDifference(before, after, direction),
    ...propertyDifferences(before, after, isRequest),
  ];
  return { differences, edges: edgesOf(before, after) };
}

const difference = (message: string, isBreaking: boolean, place = ''): SchemaDifference => ({
  place,
  message,
  isBreaking,
});

function valueDifferences({ values: old }: Shape, { values: now }: Shape, isRequest: boolean): SchemaDifference[] {
  if (!old || !now) {
    if (now) return [difference('values are now restricted', isRequest)];
    return old ? [difference('values are no longer restricted', false)] : [];
  }
  return [
    ...[...old.difference(now)].map((value) => difference(`value ${value} removed`, isRequest)),
    ...[...now.difference(old)].map((value) => difference(`value ${value} added`, false)),
  ];
}

function boundDifferences(before: Shape, after: Shape, isRequest: boolean): SchemaDifference[] {
  // Values are listed one by one, so no limit can exclude another one.
  if (after.values) return [];
  const limits = [...UPPER.map((name) => [name, 1] as const), ...LOWER.map((name) => [name, -1] as const)];
  return limits.flatMap(([name, sign]) => {
    const [old, now] = [before.bounds[name], after.bounds[name]];
    if (old === now) return [];
    if (now === undefined) return [difference(`${name} ${old} removed`, false)];
    if (old === undefined) return [difference(`${name} ${now} added`, isRequest)];
    return [difference(`${name} changed from ${old} to ${now}`, isRequest && now * sign < old * sign)];
  });
}

function ruleDifferences(before: Shape, after: Shape, isRequest: boolean): SchemaDifference[] {
  const differences: SchemaDifference[] = [];
  const isMore = !after.patterns.isSubsetOf(before.patterns);
  const isLess = !before.patterns.isSubsetOf(after.patterns);
  if (isMore || isLess) {
    differences.push(difference(`pattern ${isMore ? (isLess ? 'changed' : 'added') : 'removed'}`, isRequest && isMore));
  }
  if (before.isUnique !== after.isUnique) {
    differences.push(
      difference(`items ${after.isUnique ? 'must now' : 'need no longer'} be unique`, isRequest && after.isUnique),
    );
  }
  for (const name of new Set([...Object.keys(before.opaque), ...Object.keys(after.opaque)])) {
    const [old, now] = [before.opaque[name], after.opaque[name]];
    if (JSON.stringify(old) === JSON.stringify(now)) continue;
    const isMultiple = typeof old === 'number' && typeof now === 'number' && old % now === 0;
    const isBreaking = isRequest && name === 'multipleOf' && now !== undefined && !isMultiple;
    differences.push(difference(`${name} changed`, isBreaking));
  }
  if (after.isDeprecated && !before.isDeprecated) differences.push(difference('is now deprecated', false));
  const [old, now] = [before.default, after.default].map((value) => JSON.stringify(value ?? null));
  if (isRequest && old !== now && old !== 'null' && now !== 'null') {
    differences.push(difference(`default changed from ${old} to ${now}`, false));
  }
  return differences;
}

function propertyDifferences(before: Shape, after: Shape, isRequest: boolean): SchemaDifference[] {
  const differences: SchemaDifference[] = [];
  for (const name of before.properties.keys()) {
    // Services ignore unknown properties, unless they say otherwise.
    const isBreaking = !isRequest || after.isClosed;
    if (!after.properties.has(name)) differences.push(difference('property removed', isBreaking, name));
  }
  for (const name of new Set([...after.properties.keys(), ...after.required, ...before.required])) {
    const [wasRequired, isRequired] = [before.required.has(name), after.required.has(name)];
    const isNew = !before.properties.has(name);
    if (isNew && !wasRequired && (isRequired || after.properties.has(name))) {
      const isBreaking = isRequest && isRequired;
      differences.push(difference(isBreaking ? 'new required property' : 'property added', isBreaking, name));
    } else if (isRequired && !wasRequired) differences.push(difference('property is now required', isRequest, name));
    else if (wasRequired && !isRequired && after.properties.has(name)) {
      differences.push(difference('property is now optional', !isRequest, name));
    }
  }
  if (before.isClosed !== after.isClosed) {
    const message = `other properties are ${after.isClosed ? 'no longer' : 'now'} accepted`;
    differences.push(difference(message, isRequest && after.isClosed));
  }
  for (const value of before.variants.keys()) {
    if (after.variants.size > 0 && !after.variants.has(value))
      differences.push(difference(`variant ${value} removed`, isRequest));
  }
  for (const value of after.variants.keys()) {
    if (before.variants.size > 0 && !before.variants.has(value))
      differences.push(difference(`variant ${value} added`, false));
  }
  return differences;
}

function edgesOf(before: Shape, after: Shape): Edge[] {
  const edges: Edge[] = [];
  const add = (place: string, old: JsonValue | undefined, now: JsonValue | undefined, isOptional = false) => {
    if (old !== undefined || now !== undefined) edges.push({ place, before: old, after: now, isOptional });
  };
  for (const [name, schema] of before.properties) {
    if (after.properties.has(name)) add(name, schema, after.properties.get(name), !before.required.has(name));
  }
  if (!before.isClosed && !after.isClosed) add('*', before.additional, after.additional);
  for (const [index, item] of before.tuple.entries()) add(`[${index}]`, item, after.tuple[index] ?? after.items);
  for (const [index, item] of after.tuple.slice(before.tuple.length).entries()) {
    add(`[${before.tuple.length + index}]`, before.items, item);
  }
  add('[]', before.items, after.items);
  for (const [value, schema] of before.variants) {
    if (after.variants.has(value)) add(`(${value})`, schema, after.variants.get(value));
  }
  return edges;
}
