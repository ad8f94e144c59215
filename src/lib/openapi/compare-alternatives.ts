import type { MessageDirection, SchemaDifference } from './differences.ts';
import type { Shape, ShapeType } from './shapes.ts';

export type BeforeAfter<Value> = [before: Value, after: Value];

/** The difference of the types that the shapes of a schema have. */
export function typeDifferences(
  before: readonly Shape[],
  after: readonly Shape[],
  direction: MessageDirection,
  isOptional: boolean,
): SchemaDifference[] {
  const [old, now] = [typesOf(before), typesOf(after)];
  if (old.join() === now.join()) return [];
  const [from, to] = direction === 'request' ? [old, now] : [now, old];
  const isCovered = (type: ShapeType) =>
    to.includes(type) ||
    to.includes('any') ||
    (type === 'integer' && to.includes('number')) ||
    // A property that can be absent can as well be null.
    (type === 'null' && direction === 'response' && isOptional);
  const message = `type changed from ${old.join(' or ') || 'none'} to ${now.join(' or ') || 'none'}`;
  return [{ place: '', message, isBreaking: !from.every(isCovered) }];
}

/** In alphabetical order, null last. */
const typesOf = (shapes: readonly Shape[]): ShapeType[] => {
  const types = [...new Set(shapes.map(({ type }) => type))].toSorted();
  return types.includes('null') ? [...types.filter((type) => type !== 'null'), 'null'] : types;
};

/** The shapes of both sides by type. Integers are numbers where the other side has no integers. */
export function sameTypes(before: readonly Shape[], after: readonly Shape[]): BeforeAfter<Shape[]>[] {
  const [old, now] = [before, after].map((shapes) => Map.groupBy(shapes, ({ type }) => type));
  const pairs: BeforeAfter<Shape[]>[] = [];
  for (const [type, shapes] of old ?? []) {
    const numeric = type === 'integer' ? 'number' : type === 'number' ? 'integer' : type;
    const others = now?.get(type) ?? (old?.has(numeric) ? undefined : now?.get(numeric));
    if (others) pairs.push([shapes, others]);
  }
  return pairs;
}

/** Names what a shape is for, such as the constant that tells it from other alternatives. Empty if nothing does. */
export type TagOf = (shape: Shape) => string;

/** Alternatives of one type that belong together: by tag, by name, or by most properties in common. */
export function matchAlternatives(
  [before, after]: BeforeAfter<readonly Shape[]>,
  [oldTag, newTag]: BeforeAfter<TagOf>,
) {
  const [one] = before;
  const [other] = after;
  if (before.length === 1 && after.length === 1 && one && other) {
    return { pairs: [[one, other]] satisfies BeforeAfter<Shape>[], removed: [], added: [] };
  }
  const added = new Set(after);
  const removed = new Set(before);
  const pairs: BeforeAfter<Shape>[] = [];
  const sameTag = (shape: Shape, others: Shape[]) =>
    oldTag(shape) === '' ? undefined : others.find((each) => newTag(each) === oldTag(shape));
  const similar = (shape: Shape, others: Shape[]) =>
    mostInCommon(
      shape,
      // Constants that differ make different alternatives.
      others.filter((each) => shape.type !== 'object' || oldTag(shape) === '' || newTag(each) === ''),
    );
  for (const findOther of [sameTag, sameName, similar]) {
    for (const shape of removed) {
      const match = findOther(shape, [...added]);
      if (!match) continue;
      pairs.push([shape, match]);
      removed.delete(shape);
      added.delete(match);
    }
  }
  return { pairs, removed: [...removed], added: [...added] };
}

const sameName = (shape: Shape, others: Shape[]) =>
  others.find(({ name }) => name !== undefined && name === shape.name);

function mostInCommon(shape: Shape, others: Shape[]): Shape | undefined {
  const scores = others.map((other) => [inCommon(shape, other), other] as const);
  const [best] = scores.toSorted(([a], [b]) => b - a);
  return best && best[0] > 0 ? best[1] : undefined;
}

/** How much alternatives without a common name have in common. Unrelated names leave no doubt that they differ. */
function inCommon(shape: Shape, other: Shape): number {
  if (shape.type !== 'object') return shape.format === other.format ? 2 : 1;
  const names = new Set(shape.properties.keys());
  const common = names.intersection(other.properties).size;
  return common / Math.max(1, names.union(other.properties).size) > 0.5 ||
    (names.size === 0 && other.properties.size === 0)
    ? common + 1
    : 0;
}

/** The name of an alternative in messages. */
export const alternative = ({ name }: Shape) => `alternative${name === undefined ? '' : ` ${name}`}`;
